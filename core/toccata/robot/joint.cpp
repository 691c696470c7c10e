// Motions of joints between configurations and along polynomials.
#include "toccata/robot/joint.hpp"

namespace toccata {
namespace {

/// Returns a rotation about a unit axis. The angle itself is not rounded.
Mat3d turned(const Vec3d& axis, double angle) {
  const double s = std::sin(angle / 2);
  return to_matrix(normalized({std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s}));
}

Mat3d rotation_of(const double* xyzw) {
  return to_matrix(normalized({xyzw[3], xyzw[0], xyzw[1], xyzw[2]}));
}

Vec3d point(const double* p) { return {p[0], p[1], p[2]}; }

Twist placed(const Pose& origin, const Pose& start, const Vec3d& velocity, const Vec3d& spin) {
  const Mat3d& r = origin.rotation;
  return {{r * start.rotation, origin * start.translation}, {0, 0, 0}, r * velocity, r * spin};
}

}  // namespace

Twist joint_motion(const Joint& joint, const double* start, const double* end) {
  const double* a = start + joint.coordinate;
  const double* b = end + joint.coordinate;
  const Vec3d &u = joint.axes.x, &v = joint.axes.y, &axis = joint.axes.z;
  const double f = joint.factor, value = f * a[0] + joint.offset, change = f * (b[0] - a[0]);
  switch (joint.kind) {
    case JointKind::revolute:
      return placed(joint.origin, {turned(axis, value), {0, 0, 0}}, {0, 0, 0}, axis * change);
    case JointKind::prismatic:
      return placed(joint.origin, {identity3, axis * value}, axis * change, {0, 0, 0});
    case JointKind::planar:
      return placed(joint.origin, {turned(axis, a[2]), u * (f * a[0]) + v * (f * a[1])},
                    u * (f * (b[0] - a[0])) + v * (f * (b[1] - a[1])), axis * (b[2] - a[2]));
    case JointKind::floating:
      break;
  }
  const Mat3d from = rotation_of(a + 3), to = rotation_of(b + 3);
  return placed(joint.origin, {from, point(a) * f}, (point(b) - point(a)) * f,
                rotation_between(from, to));
}

Curve joint_curve(const Joint& joint, const RobotMotion& motion, Index width) {
  const Vec3d &u = joint.axes.x, &v = joint.axes.y, &axis = joint.axes.z;
  const double f = joint.factor;
  Polynomial<double> angle;
  Polynomial<Vec3d> shift;
  for (int k = 1; k < angle.count; ++k) {
    const double* c = motion.powers + static_cast<std::size_t>(k - 1) * width + joint.coordinate;
    switch (joint.kind) {
      case JointKind::revolute:
        angle.term[k] = f * c[0];
        break;
      case JointKind::prismatic:
        shift.term[k] = axis * (f * c[0]);
        break;
      case JointKind::planar:
        angle.term[k] = c[2], shift.term[k] = u * (f * c[0]) + v * (f * c[1]);
        break;
      case JointKind::floating:
        shift.term[k] = point(c) * f;
        break;
    }
    shift.term[k] = joint.origin.rotation * shift.term[k];
  }
  // The motion starts at the pose in which the joint would stay at rest.
  const Twist start = joint_motion(joint, motion.start, motion.start);
  const bool turns = joint.kind == JointKind::revolute || joint.kind == JointKind::planar;
  const Vec3d spin = turns ? joint.origin.rotation * axis : Vec3d{0, 0, 0};
  return {{start.pose(0), {0, 0, 0}, {0, 0, 0}, spin}, angle, shift};
}

}  // namespace toccata
