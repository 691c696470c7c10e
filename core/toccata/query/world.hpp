// Bodies that stay or move, with boxes for the broad phase: a scene, or what surrounds a robot.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "toccata/geometry/box.hpp"
#include "toccata/math/pack.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Eight boxes side by side, rounded outward.
struct BoxPack {
  Vec3p lo, hi;
};

/// A box in single precision, rounded outward.
struct Boxf {
  Vec3f lo, hi;
};
inline Boxf outward(const Box& box) {
  // Rounding to single precision errs by at most half an ulp, and |x| * 2^-23 is at least one; near
  // zero, the least normal number exceeds both roundings. Three times as fast as `nextafter`.
  const auto slack = [](float x) {
    return std::abs(x) * 0x1p-23f + std::numeric_limits<float>::min();
  };
  const auto down = [&](double x) { return static_cast<float>(x) - slack(static_cast<float>(x)); };
  const auto up = [&](double x) { return static_cast<float>(x) + slack(static_cast<float>(x)); };
  return {{down(box.lo.x), down(box.lo.y), down(box.lo.z)},
          {up(box.hi.x), up(box.hi.y), up(box.hi.z)}};
}

/// Adds box i to packs that hold the boxes before it; the last pack is filled up with boxes that
/// meet nothing.
void append(std::vector<BoxPack>& packs, Index i, const Boxf& box);

inline Boxf box_of(const std::vector<BoxPack>& packs, std::size_t i) {
  const BoxPack& pack = packs[i / lanes];
  const std::size_t lane = i % lanes;
  return {{pack.lo.x[lane], pack.lo.y[lane], pack.lo.z[lane]},
          {pack.hi.x[lane], pack.hi.y[lane], pack.hi.z[lane]}};
}

/// Bit i is set when box i of the pack meets `box`.
inline unsigned meets(const BoxPack& pack, const Boxf& box) {
  return bits((pack.lo.x <= box.hi.x) & (pack.hi.x >= box.lo.x) & (pack.lo.y <= box.hi.y) &
              (pack.hi.y >= box.lo.y) & (pack.lo.z <= box.hi.z) & (pack.hi.z >= box.lo.z));
}

/// Immutable, shared by all queries and threads. Meshes must outlive it.
class World {
 public:
  static constexpr int slabs = 16;  ///< of time

  World() = default;
  World(std::vector<const Mesh*> meshes, std::vector<Motion> motions);

  std::size_t size() const { return meshes_.size(); }
  Body body(Index i) const { return {*meshes_[i], motions_[i]}; }
  bool is_fixed(Index i) const { return motions_[i].is_fixed(); }
  /// Whether any body does.
  bool moves() const { return moves_; }
  /// What happens during a part of [0, 1], as a world over [0, 1].
  World part(const Interval& window) const;
  /// Of the largest body.
  double radius() const { return radius_; }
  /// The largest length of all bodies and motions.
  double extent() const { return extent_; }
  /// Boxes of the whole motions; the last pack is filled up with boxes that meet nothing.
  const std::vector<BoxPack>& packs() const { return packs_; }
  /// Box of body i during a window.
  Box box(Index i, const Interval& window) const;

 private:
  void find_boxes(const World* known);

  std::vector<const Mesh*> meshes_;
  std::vector<Motion> motions_;
  std::vector<Box> boxes_;  // one of a body that stays, one per slab of a body that moves
  std::vector<Index> first_box_;
  std::vector<BoxPack> packs_;
  double radius_ = 0, extent_ = 0;
  bool moves_ = false;
};

}  // namespace toccata
