// Packs of eight axis-aligned boxes in single precision, which are tested with one comparison.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/geometry/box.hpp"
#include "toccata/math/pack.hpp"

namespace toccata {

/// Eight boxes, stored by coordinate. Default boxes are empty and intersect nothing.
using BoxPack = BoxOf<Pack>;

inline Boxf lane(const BoxPack& boxes, int k) { return {lane(boxes.lo, k), lane(boxes.hi, k)}; }
inline void set_lane(BoxPack& boxes, int k, const Boxf& box) {
  set_lane(boxes.lo, k, box.lo), set_lane(boxes.hi, k, box.hi);
}

/// Returns a bit mask: bit k is set if box k intersects `box`.
inline unsigned meets(const BoxPack& boxes, const Boxf& box) {
  return bits((boxes.lo.x <= box.hi.x) & (boxes.hi.x >= box.lo.x) & (boxes.lo.y <= box.hi.y) &
              (boxes.hi.y >= box.lo.y) & (boxes.lo.z <= box.hi.z) & (boxes.hi.z >= box.lo.z));
}

/// Rounds a box outward to single precision.
inline Boxf outward(const Box& box) {
  // Rounding to single precision errs by at most half an ulp, and |x| * 2^-23 is at least one ulp.
  // Close to zero, the smallest normal number exceeds both roundings. Three times as fast as
  // `nextafter`.
  const auto slack = [](float x) {
    return std::abs(x) * 0x1p-23f + std::numeric_limits<float>::min();
  };
  const auto down = [&](double x) { return static_cast<float>(x) - slack(static_cast<float>(x)); };
  const auto up = [&](double x) { return static_cast<float>(x) + slack(static_cast<float>(x)); };
  return {{down(box.lo.x), down(box.lo.y), down(box.lo.z)},
          {up(box.hi.x), up(box.hi.y), up(box.hi.z)}};
}

/// Appends box i to packs that contain the boxes before it. The unused lanes of the last pack are
/// NaN, which intersects nothing. An empty box would intersect an infinite one, which results from
/// distances beyond 1e38.
inline void append(std::vector<BoxPack>& packs, Index i, const Boxf& box) {
  const Vec3p none = broadcast(Vec3f{NAN, NAN, NAN});
  if (i % lanes == 0) packs.push_back({none, none});
  set_lane(packs.back(), i % lanes, box);
}
inline Boxf box_of(const std::vector<BoxPack>& packs, std::size_t i) {
  return lane(packs[i / lanes], static_cast<int>(i % lanes));
}

}  // namespace toccata
