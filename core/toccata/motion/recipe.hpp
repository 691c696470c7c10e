// Motions and poses by the numbers that make them: as callers give them, and as copies keep them.
#pragma once

#include <cstdint>
#include <span>

#include "toccata/motion/motion.hpp"

namespace toccata {

enum class MotionKind : std::uint8_t { fixed, linear, screw, twist, smooth_spline, linear_spline };

/// Makes a motion. Its numbers are poses (row-major 4 x 4 matrices), then vectors:
///   fixed: pose; linear: start, end, pivot; screw: start, end; twist: start, linear, angular;
///   splines: all times, then as many poses.
/// Throws `invalid_argument` for numbers that make no such motion.
Motion make_motion(MotionKind kind, std::span<const double> numbers);

enum class RotationKind : std::uint8_t { none, rotvec, quat_xyzw, quat_wxyz };

/// The pose with a translation and a rotation, given by 3 or 4 numbers. Throws `invalid_argument`
/// for numbers that are not finite, and for a quaternion of length 0.
Pose make_pose(const Vec3d& translation, RotationKind kind, std::span<const double> rotation);

}  // namespace toccata
