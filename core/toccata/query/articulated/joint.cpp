#include "toccata/query/articulated/joint.hpp"

namespace toccata {
namespace {

/// Rotation about a unit axis; the angle itself is not rounded.
Mat3d turned(const Vec3d& axis, double angle) {
  const double s = std::sin(angle / 2);
  return to_matrix(normalized({std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s}));
}

Mat3d rotation_of(const double* xyzw) {
  return to_matrix(normalized({xyzw[3], xyzw[0], xyzw[1], xyzw[2]}));
}

Vec3d point(const double* p) { return {p[0], p[1], p[2]}; }

Twist placed(const Pose& place, const Pose& start, const Vec3d& velocity, const Vec3d& spin) {
  const Mat3d& r = place.rotation;
  return {{r * start.rotation, place * start.translation}, {0, 0, 0}, r * velocity, r * spin};
}

}  // namespace

Twist joint_motion(const Joint& joint, const double* start, const double* end) {
  const double* a = start + joint.coordinate;
  const double* b = end + joint.coordinate;
  const Vec3d &u = joint.axes.x, &v = joint.axes.y, &axis = joint.axes.z;
  const double value = joint.factor * a[0] + joint.offset, change = joint.factor * (b[0] - a[0]);
  switch (joint.kind) {
    case JointKind::revolute:
      return placed(joint.place, {turned(axis, value), {0, 0, 0}}, {0, 0, 0}, axis * change);
    case JointKind::prismatic:
      return placed(joint.place, {identity3, axis * value}, axis * change, {0, 0, 0});
    case JointKind::planar:
      return placed(joint.place, {turned(axis, a[2]), u * a[0] + v * a[1]},
                    u * (b[0] - a[0]) + v * (b[1] - a[1]), axis * (b[2] - a[2]));
    case JointKind::floating: break;
  }
  const Mat3d from = rotation_of(a + 3), to = rotation_of(b + 3);
  return placed(joint.place, {from, point(a)}, point(b) - point(a), rotation_between(from, to));
}

}  // namespace toccata
