// The axes of a bounding volume.
#pragma once

#include <span>

#include "toccata/math/mat3.hpp"

namespace toccata {

/// Orthonormal axes for a box around triangles (three points each): those of the area-weighted
/// covariance of their surface, then turned about one another as long as the box loses area.
Mat3d fit_axes(std::span<const Vec3d> corners);

}  // namespace toccata
