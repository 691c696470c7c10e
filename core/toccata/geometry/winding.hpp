// Whether a point lies inside a closed mesh.
#pragma once

#include <cmath>
#include <span>

#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// Signed solid angle under which `p` sees the triangle, in (-2 pi, 2 pi).
inline double solid_angle(const Triangle& t, const Vec3d& p) {
  const Vec3d a = t.corner[0] - p, b = t.corner[1] - p, c = t.corner[2] - p;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  const double volume = dot(a, cross(b, c));
  return 2 * std::atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace toccata
