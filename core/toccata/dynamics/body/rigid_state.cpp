// Energy, momentum, and free rotation that conserves both.
#include "toccata/dynamics/body/rigid_state.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {
namespace {

double energy_of_spin(const Mat3d& inertia, const Vec3d& spin) {
  return dot(spin, inertia * spin) / 2;
}

/// Returns J with exp(v + d) = exp(J d) exp(v) to first order in d.
Mat3d left_jacobian(const Vec3d& v) {
  const double angle2 = norm2(v), angle = std::sqrt(angle2);
  const Mat3d k = skew(v);
  const bool small = angle < 1e-3;  // cancellation exceeds truncation
  const double a = small ? 0.5 - angle2 / 24 : (1 - std::cos(angle)) / angle2;
  const double b = small ? (1 - angle2 / 20) / 6 : (angle - std::sin(angle)) / (angle2 * angle);
  return identity3 + k * a + (k * k) * b;
}

/// Solves I w = (m + exp(-h w) m) / 2 in body axes, by Newton's method. Proof that a rotation at
/// spin w conserves energy: the right side is the mean of the momenta m and m' = exp(-h w) m in
/// body axes. The change of energy m'.I^-1 m' - m.I^-1 m is the difference of momenta times 2 w,
/// and it is 0 because a rotation about w keeps w.m. Returns nothing if the iteration does not
/// converge to a spin near the initial one: at other roots a thin body turns about its axis many
/// times.
std::optional<Vec3d> mean_spin(const Mat3d& inertia, const Vec3d& momentum, double h) {
  const Vec3d start = inverse(inertia) * momentum;
  Vec3d w = start;
  for (int step = 0; step < 12; ++step) {
    const Vec3d later = to_matrix(exp_rotation(w * -h)) * momentum;
    const Vec3d residual = inertia * w - (momentum + later) * 0.5;
    if (norm(residual) <= 1e-13 * norm(momentum)) {
      if (norm(w - start) > 0.5 * norm(start)) return {};
      return w;
    }
    const Mat3d slope = inertia + (skew(later) * left_jacobian(w * -h)) * (-h / 2);
    w = w - inverse(slope) * residual;
    if (!is_finite(w)) return {};
  }
  return {};
}

// A body that turns farther in a step cannot be distinguished from one with a fixed axis.
constexpr double most_tracked_turn = 500, turn_of_part = 0.5;

struct Parts {
  int count;
  double duration;
};

/// Returns the rotation vector of a free body with constant momentum, world axes, summed over parts
/// of the duration.
std::optional<Vec3d> free_turn(const Mat3d& start, const Mat3d& inertia, const Vec3d& momentum,
                               const Parts& parts) {
  Mat3d rotation = start;
  Vec3d sum{0, 0, 0};
  for (int k = 0; k < parts.count; ++k) {
    const auto spin = mean_spin(inertia, transposed_times(rotation, momentum), parts.duration);
    if (!spin) return {};
    const Vec3d turn = rotation * *spin * parts.duration;
    sum = sum + turn;
    if (parts.count == 1) return turn;
    rotation = to_matrix(normalized(exp_rotation(turn) * to_quat(rotation)));
  }
  return nearest_turn(rotation_between(start, rotation), sum);
}

}  // namespace

Vec3d nearest_turn(const Vec3d& turn, const Vec3d& near) {
  const double angle = norm(turn);
  const Vec3d axis = angle > 1e-9 ? turn * (1 / angle) : unit_or_zero(near);
  return turn + axis * (full_turn * std::round((dot(near, axis) - angle) / full_turn));
}

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
  const double turn = norm(state.spin) * duration;
  if (!(turn <= most_tracked_turn)) return state.spin;
  const Vec3d momentum = angular_momentum(state, properties);
  const int first = std::max(1, static_cast<int>(std::ceil(turn / turn_of_part)));
  for (int parts = first; parts <= 16 * first; parts *= 2)
    if (const auto found =
            free_turn(state.rotation, properties.inertia, momentum, {parts, duration / parts}))
      return *found * (1 / duration);
  return state.spin;
}

RigidState moved(const RigidState& state, const MassProperties& properties,
                 const ExecutedTwist& executed) {
  const double h = executed.duration;
  const Quat turn = exp_rotation(executed.spin * h);
  RigidState next{to_matrix(normalized(turn * to_quat(state.rotation))),
                  state.center + executed.velocity * h, state.velocity, state.spin};
  next.spin = inverse_world_inertia(next, properties) * angular_momentum(state, properties);
  const double most = energy_of_spin(world_inertia(state, properties), state.spin);
  const double energy = energy_of_spin(world_inertia(next, properties), next.spin);
  if (energy > most * (1 + 1e-12)) next.spin = next.spin * std::sqrt(most / energy);
  return next;
}

}  // namespace toccata
