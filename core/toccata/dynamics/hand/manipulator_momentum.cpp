// A manipulated body with momentum: a critically damped spring pulls it to its target, and contacts
// stop it without friction and without restitution.
#include <algorithm>
#include <cmath>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"

namespace toccata {
namespace {

constexpr double least_motion = 1e-3;  // times the smallest motion: shorter ones are skipped

constexpr Displacement operator+(const Displacement& a, const Displacement& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}

/// Motion of a critically damped oscillator with rate w during t. With displacement y from rest,
/// y(t) = (y + (v + w y) t) exp(-w t). Here y is minus the displacement to the target.
struct Pulled {
  Displacement displacement, velocity;

  Pulled(const Displacement& to_target, const Displacement& v, double w, double t) {
    const double left = std::exp(-w * t);
    const Displacement slope = v + to_target * -w;
    displacement = to_target * -std::expm1(-w * t) + slope * (t * left);
    velocity = (v + slope * (-w * t)) * left;
  }
};

/// Returns the ratio of velocity to displacement that a constant force gives the oscillator,
/// starting from rest. For force f per mass, the displacement is f (1 - (1 + w t) exp(-w t)) / w^2,
/// and the velocity is f t exp(-w t).
double speed_per_displacement(double w, double t) {
  const double x = w * t;
  if (x < 1e-3) return 2 / t * (1 - x / 3);  // relative error x^2 / 18
  return w * w * t / (std::expm1(x) - x);
}

}  // namespace

Displacement Manipulator::wanted(const Pose& goal, double duration) const {
  const Displacement whole = to_target(goal);
  return has_momentum() ? Pulled(whole, velocity_, momentum_.rate, duration).displacement : whole;
}

/// At this velocity, the smallest motion takes one time constant of the spring.
bool Manipulator::is_at_rest() const {
  return size(velocity_) < still_in_radii * radius_ * momentum_.rate;
}

/// Updates the velocity after a motion from `before` that took `duration`. The spring has pulled.
/// The contacts acted like the constant force that explains the displacement, and they stop motion
/// towards them. If the energy of body and spring has risen and no other body pushed, the velocity
/// is reduced.
void Manipulator::update_velocity(const Pose& goal, const Pose& before, double duration) {
  const Pose now = pose_of(pose_.data());
  const auto between = [&](const Pose& from, const Pose& to) {
    return Displacement{to * center_ - from * center_,
                        rotation_between(from.rotation, to.rotation)};
  };
  const double w = momentum_.rate, most = energy(velocity_) + w * w * energy(between(before, goal));
  const Pulled free(between(before, goal), velocity_, w, duration);
  const Displacement held = between(before, now) + free.displacement * -1;
  velocity_ = free.velocity + held * speed_per_displacement(w, duration);
  find_proximities(touching_in_shells * shell_, shell_ / radius_);
  add_met(touching_in_shells * shell_);
  if (!proximities_.empty()) velocity_ = slide_.stop(slider(), proximities_, velocity_, duration);
  const bool pushed =
      std::any_of(others_.begin(), others_.end(), [](const Carried& c) { return c.moves; });
  const double moving = energy(velocity_), left = most - w * w * energy(between(now, goal));
  if (!pushed && moving > left) velocity_ = velocity_ * std::sqrt(std::max(0.0, left / moving));
}

void Manipulator::advance(const Aim& aim, const Pose& goal, int max_substeps,
                          std::span<const Displacement> given, Move& move) {
  const Pose start = pose_of(pose_.data());
  double left = aim.duration;
  for (int k = 0; k < max_substeps && left > 0 && move.status == MoveStatus::moving; ++k) {
    slide_.restart();
    Proposal proposal = propose(goal, move.waited ? time() : aim.time, left, move);
    if (!given.empty()) proposal.by = given[static_cast<std::size_t>(k) % given.size()];
    const Pose before = pose_of(pose_.data());
    const bool passes = proposal.until > time();
    const bool rests = !passes && size(proposal.by) < least_motion * still_in_radii * radius_;
    const double part = rests ? 1 : execute(proposal, move);
    move.waited = move.waited || (passes && part == 0);
    if (part == 0) velocity_ = {};
    const double used = rests ? left : part * proposal.duration;
    if (used > 0) update_velocity(goal, before, used);
    left -= used;
    learn(proposal, part, passes, move);
  }
  find_proximities(touching_in_shells * shell_, shell_ / radius_);
  carry_others(time());
  const double w = momentum_.rate;
  const Displacement pull = to_target(goal) * (w * w) + velocity_ * (-2 * w);
  slide_.hold(slider(), proximities_, velocity_, pull, still_in_radii * radius_ * w);
  move.wrench = slide_.wrench() * momentum_.mass;
  if (move.status != MoveStatus::moving || !is_at_rest()) return;
  if (!(time() < aim.time) && is_at(goal)) move.status = MoveStatus::reached;
  else if (!proximities_.empty() && is_at(start)) move.status = MoveStatus::blocked;
}

}  // namespace toccata
