// Poses as matrices, checked.
#pragma once

#include <cstddef>

#include "toccata/math/transform.hpp"

namespace toccata {

/// Throws `invalid_argument` naming `argument` (and `row`, unless negative) for a row-major 4 x 4
/// matrix that is not a rigid pose to within 1e-6.
void check_pose(const double* matrix, const char* argument, std::ptrdiff_t row = -1);

/// The pose of a matrix that was checked. The rotation is replaced by the nearest unit
/// quaternion's, which changes a rigid pose by rounding only.
Pose pose_of(const double* matrix);

/// Checks and reads a row-major 4 x 4 matrix.
Pose read_pose(const double* matrix, const char* argument, std::ptrdiff_t row = -1);

/// Writes a row-major 4 x 4 matrix.
void write_pose(const Pose& pose, double* matrix);

}  // namespace toccata
