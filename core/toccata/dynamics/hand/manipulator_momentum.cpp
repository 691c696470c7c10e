// A manipulated body with momentum: a critically damped spring pulls it to its target, contacts
// stop it without friction and without a bounce.
#include <algorithm>
#include <cmath>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"

namespace toccata {
namespace {

constexpr double least_way = 1e-3;  // of the smallest motion: a shorter one is not made

constexpr Displacement operator+(const Displacement& a, const Displacement& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}

/// How a critically damped oscillator at rate w moves during t: with y from its rest, y(t) =
/// (y + (v + w y) t) exp(-w t). Here y is minus the way to the target.
struct Pulled {
  Displacement way, velocity;

  Pulled(const Displacement& to_target, const Displacement& v, double w, double t) {
    const double left = std::exp(-w * t);
    const Displacement slope = v + to_target * -w;
    way = to_target * -std::expm1(-w * t) + slope * (t * left);
    velocity = (v + slope * (-w * t)) * left;
  }
};

/// A constant force moves the oscillator, from rest, by (1 - (1 + w t) exp(-w t)) / w^2 times what
/// it is by mass, and makes it as fast as t exp(-w t) times that: the second by the first.
double speed_by_way(double w, double t) {
  const double x = w * t;
  if (x < 1e-3) return 2 / t * (1 - x / 3);  // up to x^2 / 18
  return w * w * t / (std::expm1(x) - x);
}

}  // namespace

Displacement Manipulator::wanted(const Pose& goal, double duration) const {
  const Displacement whole = to_target(goal);
  return has_momentum() ? Pulled(whole, velocity_, momentum_.rate, duration).way : whole;
}

/// Slow enough to need a time constant of the spring for the smallest motion.
bool Manipulator::is_at_rest() const {
  return size(velocity_) < still_in_radii * radius_ * momentum_.rate;
}

/// So much time has passed on the way from a pose: the spring has pulled, contacts have held as a
/// constant force does that makes the way what it was, and stop what goes on against them. If all
/// that adds energy to that of body and spring, the body is slower, unless others have pushed it.
void Manipulator::pass(const Pose& goal, const Pose& before, double duration) {
  const Pose now = pose_of(pose_.data());
  const auto between = [&](const Pose& from, const Pose& to) {
    return Displacement{to * center_ - from * center_,
                        rotation_between(from.rotation, to.rotation)};
  };
  const double w = momentum_.rate, most = energy(velocity_) + w * w * energy(between(before, goal));
  const Pulled free(between(before, goal), velocity_, w, duration);
  const Displacement held = between(before, now) + free.way * -1;
  velocity_ = free.velocity + held * speed_by_way(w, duration);
  find_near(touching_in_shells * shell_, shell_ / radius_);
  add_met(touching_in_shells * shell_);
  if (!near_.empty()) velocity_ = slide_.stop(slider(), near_, velocity_, duration);
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
    const bool rests = !passes && size(proposal.by) < least_way * still_in_radii * radius_;
    const double part = rests ? 1 : execute(proposal, move);
    move.waited = move.waited || (passes && part == 0);
    if (part == 0) velocity_ = {};
    const double used = rests ? left : part * proposal.duration;
    if (used > 0) pass(goal, before, used);
    left -= used;
    learn(proposal, part, passes, move);
  }
  find_near(touching_in_shells * shell_, shell_ / radius_);
  carry_others(time());
  const double w = momentum_.rate;
  const Displacement pull = to_target(goal) * (w * w) + velocity_ * (-2 * w);
  slide_.hold(slider(), near_, velocity_, pull, still_in_radii * radius_ * w);
  move.wrench = slide_.wrench() * momentum_.mass;
  if (move.status != MoveStatus::moving || !is_at_rest()) return;
  if (!(time() < aim.time) && is_at(goal)) move.status = MoveStatus::reached;
  else if (!near_.empty() && is_at(start)) move.status = MoveStatus::blocked;
}

}  // namespace toccata
