// Poses as matrices, checked.
#pragma once

#include <cstddef>

#include "toccata/math/transform.hpp"

namespace toccata {

/// Reads a row-major 4 x 4 matrix. The rotation is replaced by the nearest unit quaternion's, which
/// changes a rigid pose by rounding only. Throws `invalid_argument` naming `argument` (and `row`,
/// unless negative) for what is not a rigid pose to within 1e-6.
Pose read_pose(const double* matrix, const char* argument, std::ptrdiff_t row = -1);

/// Writes a row-major 4 x 4 matrix.
void write_pose(const Pose& pose, double* matrix);

}  // namespace toccata
