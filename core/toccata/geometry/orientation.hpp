// On which side of a plane a point is, exactly.
#pragma once

#include "toccata/math/vec3.hpp"

namespace toccata {

/// The sign of the volume that the vectors from p to a, b and c span: 1 if they turn like the axes,
/// 0 if the four points are in one plane. Exact for coordinates up to 1e15 in size, but for parts
/// that are 1e-100 times as long as the longest vector.
int orientation(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace toccata
