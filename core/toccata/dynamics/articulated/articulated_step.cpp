// Time integration of articulated bodies, symmetric and of second order.
//
// A step is half a kick, a move along the resulting velocity w, and another half kick. Both halves
// take Coriolis forces at w: the first solves w = v + h/2 a(q, w), the second adds h/2 a(q', w).
// Each half is the inverse of the other with -h. Steps are therefore reversible, and energy does
// not drift. Among schemes of second order, this one is close to the variational scheme in which
// only w has a kinetic energy, at both ends. With Coriolis forces at the middle of each half
// instead, the energy of long chains has five times the error.
#include <algorithm>
#include <cmath>

#include "toccata/base/expects.hpp"
#include "toccata/base/interruption.hpp"
#include "toccata/dynamics/articulated/articulated_body.hpp"

namespace toccata {
namespace {

// Fixed-point iterations of a kick. Coriolis forces and the damping of springs change little within
// a kick, so each iteration gains the digits of time * rate, two or three.
constexpr int most_passes = 6;
constexpr double enough = 1e-9;
constexpr int most_stop_passes = 1000;  // over stops
// Rates beyond this bound overflow soon: the forces are too large for the step.
constexpr double most_rate = 1e30;

}  // namespace

/// Gathers the joint forces that are constant during a kick. Damping acts on the rates at the
/// middle of the kick. Its contribution at the start is one of these forces; the remaining part is
/// in the factor.
void ArticulatedBody::gather_forces(MimicTree& tree) {
  tree.gather_forces(tau.data(), forces_.data());
  if (!damped_) return;
  for (Index i = 0; i < tree.freedoms(); ++i) {
    const MimicTree::Slot& slot = tree.slots()[i];
    if (slot.leads) forces_[i] -= damping_[slot.rate] * v_[slot.rate] / slot.factor;
  }
}

/// Computes the accelerations of freedoms at given rates, by all forces.
void ArticulatedBody::accelerate(MimicTree& tree, const double* rates, double* out) {
  tree.tree().set_rates(rates);
  tree.tree().start_forces();
  add_wrenches(tree.tree());
  tree.accelerate(forces_.data(), -settings_.gravity, out);
}

void ArticulatedBody::present_acceleration(double* out) {
  factor(0);
  gather_forces(tree_);
  tree_.gather(v_.data(), rates_.data());
  accelerate(tree_, rates_.data(), out_.data());
  moving_ = true;
  std::fill_n(out, freedoms(), 0.0);
  tree_.scatter(out_.data(), 1, out);
}

void ArticulatedBody::kick(double time, Kick kick) {
  factor(time);
  gather_forces(tree_);
  const Index n = tree_.freedoms();
  tree_.gather(v_.data(), start_.data());
  std::copy_n(start_.begin(), n, rates_.begin());
  for (int pass = 0; pass < most_passes; ++pass) {
    accelerate(tree_, rates_.data(), out_.data());
    work_.solves += static_cast<Count>(tree_.tree().groups().size());
    if (kick == Kick::after_move) break;
    double change = 0, size = 0;
    for (Index i = 0; i < n; ++i) {
      const double end = start_[i] + time * out_[i];
      change = std::max(change, std::abs(end - rates_[i]));
      size = std::max(size, std::abs(end));
      rates_[i] = end;
    }
    if (change <= enough * size) break;
  }
  tree_.scatter(out_.data(), time, v_.data());
  moving_ = false;
}

void ArticulatedBody::move(double time) {
  for (const RigidGroup& group : tree_.tree().groups().subspan(1)) {
    if (model_.table.leader[group.joint] != group.joint) continue;
    advance_joint(model_.joints[group.joint], v_.data() + model_.table.first[group.joint], time,
                  q_.data());
  }
  placed_ = moving_ = false, factored_ = -1;
}

void ArticulatedBody::move_to(std::span<const double> q) {
  std::copy(q.begin(), q.end(), q_.begin());
  placed_ = moving_ = false, factored_ = -1;
}

void ArticulatedBody::step_all(std::span<ArticulatedBody* const> bodies, double time, Index n,
                               const ActiveChoice& choice) {
  for (Index i = 0; i < n; ++i) {
    interruption_point(i);
    for (ArticulatedBody* body : bodies) body->adapt(choice);
    for (ArticulatedBody* body : bodies) body->half_step(time, Kick::before_move);
    for (ArticulatedBody* body : bodies) body->move(time);
    for (ArticulatedBody* body : bodies) body->half_step(time, Kick::after_move);
  }
  for (ArticulatedBody* body : bodies) body->pulls.clear();
}

void ArticulatedBody::half_step(double time, Kick half) {
  kick(time / 2, half);
  for (const MimicTree::Slot& slot : tree_.slots())
    expects(std::abs(v_[slot.rate]) < most_rate, "h", "expected a step that keeps motions bounded",
            time);
  stop_at_limits(time);
}

/// Adds the joints that would leave their limits to `stops_`. Returns whether there are new ones.
bool ArticulatedBody::find_stops(double time) {
  bool found = false;
  for (const RigidGroup& group : tree_.tree().groups().subspan(1)) {
    const Joint& joint = model_.joints[group.joint];
    if (model_.table.leader[group.joint] != group.joint) continue;
    const Index shifts = std::min<Index>(group.count, 3);
    for (Index k = 0; k < shifts; ++k) {
      const double at = q_[joint.coordinate + k], rate = rates_[group.first + k] / joint.factor;
      const double low = settings_.lower[joint.coordinate + k];
      const double high = settings_.upper[joint.coordinate + k];
      // `move` ends at the same value; constraints are satisfied up to rounding.
      const double end = at + rate * time, slack = 1e-14 * (1 + std::abs(at));
      const double sign = end < low - slack ? 1 : end > high + slack ? -1 : 0;
      if (sign == 0) continue;
      const Index freedom = group.first + k;
      const auto same = [&](const Stop& s) {
        return s.freedom == freedom && s.sign == sign * (joint.factor > 0 ? 1 : -1);
      };
      if (std::any_of(stops_.begin(), stops_.end(), same)) continue;
      const double room = std::min(sign > 0 ? low - at : at - high, 0.0);
      stops_.push_back(
          {freedom, sign * (joint.factor > 0 ? 1 : -1), room / time * std::abs(joint.factor), 0});
      found = true;
    }
  }
  return found;
}

void ArticulatedBody::stop_at_limits(double time) {
  if (settings_.lower.empty()) return;
  stops_.clear();
  tree_.gather(v_.data(), rates_.data());
  // A stop changes other rates, too. There are at most twice as many rounds as joints with limits.
  while (find_stops(time)) solve_stops();
  if (stops_.empty()) return;
  for (const MimicTree::Slot& slot : tree_.slots()) v_[slot.rate] = 0;
  tree_.scatter(rates_.data(), 1, v_.data());
  moving_ = false;
}

/// Solves for the impulses of stops by Gauss-Seidel. Proof that energy does not rise, at whatever
/// iteration it ends: impulses lower the dual objective, which is the change of energy without the
/// work against the bounds, and bounds are at most 0.
void ArticulatedBody::solve_stops() {
  factor(0);
  const std::size_t n = tree_.freedoms();
  stop_columns_.resize(n * stops_.size());
  for (std::size_t s = 0; s < stops_.size(); ++s) {
    std::fill_n(forces_.begin(), n, 0.0);
    forces_[stops_[s].freedom] = 1;
    tree_.tree().clear_forces();
    tree_.strike(forces_.data(), stop_columns_.data() + s * n);
  }
  for (int pass = 0; pass < most_stop_passes; ++pass) {
    double change = 0, size = 0;
    for (std::size_t s = 0; s < stops_.size(); ++s) {
      Stop& stop = stops_[s];
      const double* column = stop_columns_.data() + s * n;
      const double lacking = stop.bound - stop.sign * rates_[stop.freedom];
      const double impulse = std::max(0.0, stop.impulse + lacking / column[stop.freedom]);
      const double by = stop.sign * (impulse - stop.impulse);
      stop.impulse = impulse;
      for (std::size_t i = 0; i < n; ++i) rates_[i] += by * column[i];
      change = std::max(change, std::abs(by * column[stop.freedom]));
      size = std::max(size, std::abs(stop.impulse * column[stop.freedom]));
    }
    if (change <= 1e-15 * size) break;
  }
}

}  // namespace toccata
