// Exact predicates: on which side of a plane a point is, and whether a ray passes through a
// triangle, which tells the inside of closed surfaces.
#pragma once

#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// The sign of the volume that the vectors from p to a, b and c span: 1 if they turn like the axes,
/// 0 if the four points are in one plane. Exact for coordinates up to 1e15 in size, but for parts
/// that are 1e-100 times as long as the longest vector.
int orientation(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// 1 if the ray from `p` along the x axis comes out at the front of the triangle (where its corners
/// turn against the clock), -1 if at the back, 0 if it misses. A ray through an edge or a corner
/// counts as if it were shifted by a little, the same for all triangles. `p` must not be on the
/// triangle. Exact as far as `orientation` is.
int crossing(const Triangle& triangle, const Vec3d& p);

/// Whether `p` is within `distance` of the triangle, up to rounding.
bool is_near(const Triangle& triangle, const Vec3d& p, double distance);

}  // namespace toccata
