// Exact predicates: the side of a plane on which a point lies, and the crossing of a ray and a
// triangle, from which the inside of closed surfaces follows.
#pragma once

#include "toccata/geometry/triangle.hpp"

namespace toccata {

/// Returns the sign of the volume spanned by the vectors from p to a, b and c: 1 if they are
/// oriented like the axes, 0 if the four points are coplanar. Exact for coordinates up to 1e15 in
/// size, except for components shorter than 1e-100 times the longest vector.
int orientation(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// Returns 1 if the ray from `p` along the x axis leaves through the front of the triangle (from
/// which its corners are counterclockwise), -1 if through its back, and 0 if it misses the
/// triangle. A ray through an edge or a corner counts as if it were shifted slightly, in the same
/// direction for all triangles. `p` must not be on the triangle. Exact for the same coordinates as
/// `orientation`.
int crossing(const Triangle& triangle, const Vec3d& p);

/// Returns whether `p` is within `distance` of the triangle, up to rounding.
bool is_near(const Triangle& triangle, const Vec3d& p, double distance);

}  // namespace toccata
