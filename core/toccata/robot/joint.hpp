// Joints: from configurations to motions, at constant rates or along polynomials.
#pragma once

#include <span>

#include "toccata/base/index.hpp"
#include "toccata/motion/curve.hpp"

namespace toccata {

enum class JointKind : std::uint8_t { revolute, prismatic, planar, floating };

/// A joint, which moves a frame relative to its parent's frame. Its coordinates in a configuration
/// are, for a revolute joint: an angle; for a prismatic joint: a displacement; for a planar joint:
/// two displacements and an angle; for a floating joint: a position and a quaternion (x, y, z, w).
struct Joint {
  Index parent = -1;  ///< the joint that moves the parent's frame; -1: the world
  JointKind kind = JointKind::revolute;
  Pose origin;             ///< pose in the parent's frame at zero
  Mat3d axes = identity3;  ///< in the joint's frame: two axes of the plane, then the axis
  Index coordinate = 0;    ///< index of its first coordinate in a configuration
  /// A mimic joint has the value factor * coordinate + offset. The displacements of planar and
  /// floating joints are multiplied by the factor too, which is 1 unless the robot is scaled.
  double factor = 1, offset = 0;
};

/// Returns the number of coordinates of a joint of this kind.
constexpr Index coordinate_count(JointKind kind) {
  return kind == JointKind::floating ? 7 : kind == JointKind::planar ? 3 : 1;
}

/// Returns the motion between two configurations, at constant rates. Quaternions of any length
/// above zero are valid. They rotate by at most pi.
Twist joint_motion(const Joint& joint, const double* start, const double* end);

/// Path of a robot's configuration over time: straight from `start` to `end`, or along polynomials.
struct RobotMotion {
  const double* start;
  const double* end;
  /// If not null: rows of the coefficients of t, t^2, ... t^5, and `end` is ignored. Quaternions
  /// have no such coefficients.
  const double* powers = nullptr;
};

/// Returns the motion of a joint along polynomials. `width` is the number of coordinates of a
/// configuration.
Curve joint_curve(const Joint& joint, const RobotMotion& motion, Index width);

}  // namespace toccata
