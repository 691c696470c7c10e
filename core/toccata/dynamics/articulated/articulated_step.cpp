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

}  // namespace toccata
