// Whether a ray passes through a triangle, exactly: what tells the inside of closed surfaces.
#pragma once

#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// 1 if the ray from `p` along the x axis comes out at the front of the triangle (where its corners
/// turn against the clock), -1 if at the back, 0 if it misses. A ray through an edge or a corner
/// counts as if it were shifted by a little, the same for all triangles. `p` must not be on the
/// triangle. Exact as far as `orientation` is.
int crossing(const Triangle& triangle, const Vec3d& p);

/// Whether `p` is within `distance` of the triangle, up to rounding.
bool is_near(const Triangle& triangle, const Vec3d& p, double distance);

}  // namespace toccata
