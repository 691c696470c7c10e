#include "toccata/dynamics/rigid_state.hpp"

#include <optional>

#include "toccata/dynamics/symmetric.hpp"

namespace toccata {
namespace {

double energy_of_spin(const Mat3d& inertia, const Vec3d& spin) {
  return dot(spin, inertia * spin) / 2;
}

/// How a rotation vector's change turns the rotation: exp(v + d) = exp(J d) exp(v) to first order.
Mat3d left_jacobian(const Vec3d& v) {
  const double angle2 = norm2(v), angle = std::sqrt(angle2);
  const Mat3d k = skew(v);
  const bool small = angle < 1e-3;  // where differences would lose more than the next terms have
  const double a = small ? 0.5 - angle2 / 24 : (1 - std::cos(angle)) / angle2;
  const double b = small ? (1 - angle2 / 20) / 6 : (angle - std::sin(angle)) / (angle2 * angle);
  return identity3 + k * a + (k * k) * b;
}

/// Solves I w = (m + exp(-h w) m) / 2 in body axes, by Newton's method. The mean momentum is that
/// of a spin about which the momentum turns as the body turns against it: a rotation about w keeps
/// w.m, so that the energy m.I^-1 m changes by the difference of momenta times 2 w, which is 0.
/// Nothing if it does not converge, which takes more than a radian in a step.
std::optional<Vec3d> mean_spin(const Mat3d& inertia, const Vec3d& momentum, double h) {
  Vec3d w = inverse(inertia) * momentum;
  for (int step = 0; step < 12; ++step) {
    const Vec3d later = to_matrix(exp_rotation(w * -h)) * momentum;
    const Vec3d residual = inertia * w - (momentum + later) * 0.5;
    if (norm(residual) <= 1e-13 * norm(momentum)) return w;
    const Mat3d slope = inertia + (skew(later) * left_jacobian(w * -h)) * (-h / 2);
    w = w - inverse(slope) * residual;
    if (!is_finite(w)) return {};
  }
  return {};
}

}  // namespace

RigidState state_at(const Pose& pose, const MassProperties& properties) {
  return {pose.rotation, pose * properties.center, {0, 0, 0}, {0, 0, 0}};
}

Pose body_pose(const RigidState& state, const MassProperties& properties) {
  return {state.rotation, state.center - state.rotation * properties.center};
}

Mat3d world_inertia(const RigidState& state, const MassProperties& properties) {
  return turned(state.rotation, properties.inertia);
}

Mat3d inverse_world_inertia(const RigidState& state, const MassProperties& properties) {
  return turned(state.rotation, inverse(properties.inertia));
}

double kinetic_energy(const RigidState& state, const MassProperties& properties) {
  return properties.mass * norm2(state.velocity) / 2 +
         energy_of_spin(world_inertia(state, properties), state.spin);
}

Vec3d angular_momentum(const RigidState& state, const MassProperties& properties) {
  return world_inertia(state, properties) * state.spin;
}

Vec3d free_spin(const RigidState& state, const MassProperties& properties, double duration) {
  const Vec3d spin = transposed_times(state.rotation, state.spin);
  const auto found = mean_spin(properties.inertia, properties.inertia * spin, duration);
  return found ? state.rotation * *found : state.spin;
}

RigidState moved(const RigidState& state, const MassProperties& properties,
                 const ExecutedTwist& executed, const Vec3d& free) {
  const Mat3d inertia = world_inertia(state, properties);
  const Vec3d momentum = inertia * (state.spin + executed.spin - free);
  const double h = executed.duration;
  const Quat turn = exp_rotation(executed.spin * h);
  RigidState next{to_matrix(normalized(turn * to_quat(state.rotation))),
                  state.center + executed.velocity * h,
                  executed.velocity,
                  {0, 0, 0}};
  next.spin = inverse_world_inertia(next, properties) * momentum;
  // A turn alone adds no energy. Where no mean spin was found, momentum gives way.
  const double most =
      std::max(energy_of_spin(inertia, state.spin), energy_of_spin(inertia, executed.spin));
  const double energy = energy_of_spin(world_inertia(next, properties), next.spin);
  if (energy > most * (1 + 1e-12)) next.spin = next.spin * std::sqrt(most / energy);
  return next;
}

}  // namespace toccata
