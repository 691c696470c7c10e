// Spatial vectors: velocities and forces of rigid bodies as six numbers, and the inertias that map
// one to the other (Featherstone, Rigid Body Dynamics Algorithms, 2008).
#pragma once

#include "toccata/dynamics/body/mass.hpp"
#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// A motion: the velocity of the frame's origin, then the spin. Or a force: the force, then the
/// torque about the origin. In the axes of the frame.
struct Spatial {
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};
};

constexpr Spatial operator+(const Spatial& a, const Spatial& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
constexpr Spatial operator-(const Spatial& a, const Spatial& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
constexpr Spatial operator*(const Spatial& a, double s) { return {a.linear * s, a.angular * s}; }
/// Returns the power of a force along a motion.
constexpr double dot(const Spatial& a, const Spatial& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

/// Transforms a motion of the parent to a frame at `local` in it.
constexpr Spatial motion_from_parent(const Pose& local, const Spatial& v) {
  const Vec3d there = v.linear + cross(v.angular, local.translation);
  return {transposed_times(local.rotation, there), transposed_times(local.rotation, v.angular)};
}
/// Transforms a force in a frame at `local` to the parent.
constexpr Spatial force_to_parent(const Pose& local, const Spatial& f) {
  const Vec3d force = local.rotation * f.linear;
  return {force, local.rotation * f.angular + cross(local.translation, force)};
}

/// Returns the rate of change of a motion that is carried along by another.
constexpr Spatial cross_motion(const Spatial& v, const Spatial& m) {
  return {cross(v.angular, m.linear) + cross(v.linear, m.angular), cross(v.angular, m.angular)};
}
/// Returns the rate of change of a force that is carried along by a motion.
constexpr Spatial cross_force(const Spatial& v, const Spatial& f) {
  return {cross(v.angular, f.linear), cross(v.angular, f.angular) + cross(v.linear, f.linear)};
}

/// Inertia of a rigid body about the frame's origin.
struct RigidInertia {
  double mass = 0;
  Vec3d first{0, 0, 0};  ///< mass times center
  Mat3d second{};        ///< rotational inertia
};

constexpr RigidInertia operator+(const RigidInertia& a, const RigidInertia& b) {
  return {a.mass + b.mass, a.first + b.first, a.second + b.second};
}
/// Returns the momentum of a motion.
constexpr Spatial operator*(const RigidInertia& i, const Spatial& v) {
  return {v.linear * i.mass + cross(v.angular, i.first),
          cross(i.first, v.linear) + i.second * v.angular};
}

/// Returns -[a] [b], which for a = b is the rotational inertia of a unit point mass at a.
constexpr Mat3d minus_two_skews(const Vec3d& a, const Vec3d& b) {
  const double d = dot(a, b);
  return {Vec3d{d, 0, 0} - b * a.x, Vec3d{0, d, 0} - b * a.y, Vec3d{0, 0, d} - b * a.z};
}

constexpr RigidInertia rigid_inertia(const MassProperties& p) {
  return {p.mass, p.center * p.mass, p.inertia + minus_two_skews(p.center, p.center) * p.mass};
}

/// Transforms an inertia in a frame at `local` to the parent.
constexpr RigidInertia inertia_to_parent(const Pose& local, const RigidInertia& i) {
  const Vec3d &t = local.translation, first = local.rotation * i.first;
  const Mat3d mixed = minus_two_skews(t, first);
  return {i.mass, first + t * i.mass,
          turned(local.rotation, i.second) + mixed + transposed(mixed) +
              minus_two_skews(t, t) * i.mass};
}

/// A symmetric map from motions to forces: mass l + mixed w, and mixed^T l + second w. The
/// articulated inertia of a body has three general blocks.
struct ArticulatedInertia {
  Mat3d mass{}, mixed{}, second{};
};

constexpr ArticulatedInertia articulated(const RigidInertia& i) {
  return {identity3 * i.mass, skew(-i.first), i.second};
}
constexpr Spatial operator*(const ArticulatedInertia& i, const Spatial& v) {
  return {i.mass * v.linear + i.mixed * v.angular,
          transposed_times(i.mixed, v.linear) + i.second * v.angular};
}
constexpr void add(ArticulatedInertia& to, const ArticulatedInertia& i) {
  to.mass = to.mass + i.mass, to.mixed = to.mixed + i.mixed, to.second = to.second + i.second;
}

/// Returns a b^T.
constexpr Mat3d outer(const Vec3d& a, const Vec3d& b) { return {a * b.x, a * b.y, a * b.z}; }
constexpr Mat3d crossed(const Vec3d& t, const Mat3d& m) {
  return {cross(t, m.x), cross(t, m.y), cross(t, m.z)};
}

/// Subtracts u w^T, which must be symmetric.
constexpr void subtract_product(ArticulatedInertia& i, const Spatial& u, const Spatial& w) {
  i.mass = i.mass + outer(u.linear, w.linear) * -1;
  i.mixed = i.mixed + outer(u.linear, w.angular) * -1;
  i.second = i.second + outer(u.angular, w.angular) * -1;
}

/// Transforms an inertia in a frame at `local` to the parent. With l = l_p - [t] w_p for the motion
/// and n_p = n + [t] f for the force, mixed becomes mixed - mass [t], which is mixed + ([t]
/// mass)^T, and second becomes second + [t] mixed' + ([t] mixed)^T.
constexpr ArticulatedInertia inertia_to_parent(const Pose& local, const ArticulatedInertia& i) {
  const Mat3d back = transposed(local.rotation);
  const Vec3d& t = local.translation;
  const Mat3d mass = local.rotation * (i.mass * back);
  const Mat3d mixed = local.rotation * (i.mixed * back);
  const Mat3d second = local.rotation * (i.second * back);
  const Mat3d shifted = mixed + transposed(crossed(t, mass));
  return {mass, shifted, second + crossed(t, shifted) + transposed(crossed(t, mixed))};
}

}  // namespace toccata
