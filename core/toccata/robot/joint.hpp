// Joints: from configurations to motions, at constant rates or along polynomials.
#pragma once

#include <span>

#include "toccata/base/index.hpp"
#include "toccata/motion/curve.hpp"

namespace toccata {

enum class JointKind : std::uint8_t { revolute, prismatic, planar, floating };

/// Moves a frame relative to its parent's. A configuration holds for a revolute joint the angle,
/// for a prismatic one the shift, for a planar one two shifts and the angle, for a floating one the
/// place and a quaternion (x, y, z, w).
struct Joint {
  Index parent = -1;  ///< the joint that moves the parent's frame; -1: the world's
  JointKind kind = JointKind::revolute;
  Pose place;              ///< in the parent's frame, where the joint is at zero
  Mat3d axes = identity3;  ///< in the joint's frame: two of the plane, and the axis
  Index coordinate = 0;    ///< its first number in a configuration
  /// Of one that mimics: factor * number + offset. Shifts of planar and floating joints are
  /// multiplied by the factor too, which is 1 unless the robot is scaled.
  double factor = 1, offset = 0;
};

/// How many numbers of a configuration belong to a joint of this kind.
constexpr Index coordinate_count(JointKind kind) {
  return kind == JointKind::floating ? 7 : kind == JointKind::planar ? 3 : 1;
}

/// The motion between two configurations: all rates are constant. A quaternion of any length but
/// zero is read as the rotation it stands for; it turns by at most half a turn.
Twist joint_motion(const Joint& joint, const double* start, const double* end);

/// How the numbers of a configuration run over time: straight from `start` to `end`, or along
/// polynomials.
struct RobotMotion {
  const double* start;
  const double* end;
  /// Not null: rows of the coefficients of t, t^2, ... t^5, and `end` does not matter. Quaternions
  /// have none.
  const double* powers = nullptr;
};

/// The motion along polynomials; `width` is that of a configuration.
Curve joint_curve(const Joint& joint, const RobotMotion& motion, Index width);

}  // namespace toccata
