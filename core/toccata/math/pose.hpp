// Rigid poses, and how they are read from matrices and written to them.
#pragma once

#include <cstddef>

#include "toccata/math/rotation.hpp"

namespace toccata {

/// Maps body coordinates to world coordinates: rotation, then translation.
struct Pose {
  Mat3d rotation = identity3;
  Vec3d translation{0, 0, 0};
};

constexpr Vec3d operator*(const Pose& pose, const Vec3d& point) {
  return pose.rotation * point + pose.translation;
}

/// Composes two poses: applies `b`, then `a`.
constexpr Pose operator*(const Pose& a, const Pose& b) {
  return {a.rotation * b.rotation, a * b.translation};
}

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
