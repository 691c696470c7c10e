// Axis-aligned boxes.
#pragma once

#include <algorithm>
#include <limits>

#include "toccata/math/interval.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// Closed box; a default one is empty.
struct Box {
  Vec3d lo{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
           std::numeric_limits<double>::infinity()};
  Vec3d hi{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
           -std::numeric_limits<double>::infinity()};
};

inline void extend(Box& box, const Vec3d& p) {
  box.lo = {std::min(box.lo.x, p.x), std::min(box.lo.y, p.y), std::min(box.lo.z, p.z)};
  box.hi = {std::max(box.hi.x, p.x), std::max(box.hi.y, p.y), std::max(box.hi.z, p.z)};
}
inline Box intersection(const Box& a, const Box& b) {
  return {{std::max(a.lo.x, b.lo.x), std::max(a.lo.y, b.lo.y), std::max(a.lo.z, b.lo.z)},
          {std::min(a.hi.x, b.hi.x), std::min(a.hi.y, b.hi.y), std::min(a.hi.z, b.hi.z)}};
}
inline Vec3d extent(const Box& box) { return box.hi - box.lo; }
/// Half of the surface of a box of that extent.
inline double half_area(const Vec3d& extent) {
  return extent.x * extent.y + extent.y * extent.z + extent.z * extent.x;
}
inline Vec3d center(const Box& box) { return box.lo * 0.5 + box.hi * 0.5; }

/// Whether two boxes come within `distance` along every axis.
inline bool near(const Box& a, const Box& b, double distance) {
  return a.lo.x - distance <= b.hi.x && b.lo.x - distance <= a.hi.x &&
         a.lo.y - distance <= b.hi.y && b.lo.y - distance <= a.hi.y &&
         a.lo.z - distance <= b.hi.z && b.lo.z - distance <= a.hi.z;
}

}  // namespace toccata
