// Construction of motions and poses from numbers, as callers give them and as pickled copies keep
// them.
#pragma once

#include <cstdint>
#include <span>

#include "toccata/motion/motion.hpp"

namespace toccata {

enum class MotionKind : std::uint8_t { fixed, linear, screw, twist, smooth_spline, linear_spline };

/// Makes a motion from numbers: first poses (row-major 4 x 4 matrices), then vectors.
///   fixed: pose; linear: start, end, pivot; screw: start, end; twist: start, linear, angular;
///   splines: all times, then the same number of poses.
/// Throws `invalid_argument` if the numbers do not define such a motion.
Motion make_motion(MotionKind kind, std::span<const double> numbers);

enum class RotationKind : std::uint8_t { none, rotvec, quat_xyzw, quat_wxyz };

/// Makes a pose from a translation and a rotation of 3 or 4 numbers. Throws `invalid_argument` for
/// numbers that are not finite, and for a quaternion of length 0.
Pose make_pose(const Vec3d& translation, RotationKind kind, std::span<const double> rotation);

}  // namespace toccata
