// Pose and columns of the freedoms of each kind of joint.
#include "toccata/dynamics/articulated/joint_freedom.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

/// Returns a rotation about a unit axis, by Rodrigues' formula.
Mat3d turned_about(const Vec3d& axis, double angle) {
  const double s = std::sin(angle), c = std::cos(angle), k = 1 - c;
  const Vec3d a = axis * k, b = axis * s;
  return {{a.x * axis.x + c, a.x * axis.y + b.z, a.x * axis.z - b.y},
          {a.y * axis.x - b.z, a.y * axis.y + c, a.y * axis.z + b.x},
          {a.z * axis.x + b.y, a.z * axis.y - b.x, a.z * axis.z + c}};
}

Quat quaternion(const double* xyzw) { return normalized({xyzw[3], xyzw[0], xyzw[1], xyzw[2]}); }

}  // namespace

Pose joint_pose(const Joint& joint, const double* q) {
  const double* a = q + joint.coordinate;
  const Vec3d &u = joint.axes.x, &v = joint.axes.y, &axis = joint.axes.z;
  switch (joint.kind) {
    case JointKind::revolute:
      return {turned_about(axis, joint.factor * a[0] + joint.offset), {0, 0, 0}};
    case JointKind::prismatic:
      return {identity3, axis * (joint.factor * a[0] + joint.offset)};
    case JointKind::planar:
      return {turned_about(axis, a[2]), u * a[0] + v * a[1]};
    case JointKind::floating:
      break;
  }
  return {to_matrix(quaternion(a + 3)), {a[0], a[1], a[2]}};
}

void joint_columns(const Joint& joint, const Mat3d& turned, Spatial* columns) {
  const Vec3d zero{0, 0, 0}, &axis = joint.axes.z;
  switch (joint.kind) {
    case JointKind::revolute:
      columns[0] = {zero, axis};
      return;
    case JointKind::prismatic:
      columns[0] = {axis, zero};
      return;
    case JointKind::planar:
      columns[0] = {transposed_times(turned, joint.axes.x), zero};
      columns[1] = {transposed_times(turned, joint.axes.y), zero};
      columns[2] = {zero, axis};
      return;
    case JointKind::floating:
      break;
  }
  const Mat3d back = transposed(turned);
  const Vec3d along[] = {back.x, back.y, back.z};
  for (int k = 0; k < 3; ++k) columns[k] = {along[k], zero}, columns[k + 3] = {zero, along[k]};
}

void advance_joint(const Joint& joint, const double* rates, double time, double* q) {
  double* a = q + joint.coordinate;
  const Index shifts = joint.kind == JointKind::floating ? 3 : coordinate_count(joint.kind);
  for (Index k = 0; k < shifts; ++k) a[k] += rates[k] * time;
  if (joint.kind != JointKind::floating) return;
  const Vec3d turn = Vec3d{rates[3], rates[4], rates[5]} * time;
  const Quat to = normalized(exp_rotation(turn) * quaternion(a + 3));
  a[3] = to.x, a[4] = to.y, a[5] = to.z, a[6] = to.w;
}

FreedomTable::FreedomTable(std::span<const Joint> joints)
    : first(joints.size()), leader(joints.size(), -1) {
  std::vector<Index> order(joints.size());
  std::iota(order.begin(), order.end(), 0);
  // Among joints that share a coordinate, the leader has the factor closest to 1 or -1.
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Joint &p = joints[a], &q = joints[b];
    if (p.coordinate != q.coordinate) return p.coordinate < q.coordinate;
    return std::abs(std::abs(p.factor) - 1) < std::abs(std::abs(q.factor) - 1);
  });
  for (const Index j : order) {
    const Joint& joint = joints[j];
    const bool follows = joint.coordinate < coordinates;
    if (follows) {
      const Index before = *std::find_if(order.begin(), order.end(), [&](Index other) {
        return joints[other].coordinate == joint.coordinate;
      });
      expects(coordinate_count(joints[before].kind) == 1 && coordinate_count(joint.kind) == 1,
              "joints", "expected only joints with one number to share it");
      leader[j] = before, first[j] = first[before];
      continue;
    }
    expects(joint.coordinate == coordinates, "joints", "expected numbers without gaps");
    expects(joint.factor != 0, "joints", "expected a joint that moves by its number");
    leader[j] = j, first[j] = freedoms;
    coordinates += coordinate_count(joint.kind), freedoms += freedom_count(joint.kind);
  }
}

}  // namespace toccata
