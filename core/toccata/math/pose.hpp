// Rigid poses, and their conversion from and to 4 x 4 matrices.
#pragma once

#include <cstddef>

#include "toccata/math/rotation.hpp"

namespace toccata {

/// Map from body coordinates to world coordinates: rotation, then translation.
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

/// Throws `invalid_argument` unless a row-major 4 x 4 matrix is a rigid pose to within 1e-6. The
/// message names `argument`, and `row` unless it is negative.
void check_pose(const double* matrix, const char* argument, std::ptrdiff_t row = -1);

/// Converts a checked matrix to a pose. Replaces the rotation by the nearest unit quaternion, which
/// changes a rigid pose only by rounding.
Pose pose_of(const double* matrix);

/// Checks a row-major 4 x 4 matrix and converts it to a pose.
Pose read_pose(const double* matrix, const char* argument, std::ptrdiff_t row = -1);

/// Writes a pose as a row-major 4 x 4 matrix.
void write_pose(const Pose& pose, double* matrix);

}  // namespace toccata
