// Limits of joints in a simulation: joints that would leave their limits are stopped by impulses.
// Limits are read from URDF files in src/toccata/_robot/urdf.py. Queries do not enforce them.
#include <algorithm>
#include <cmath>

#include "toccata/dynamics/articulated/articulated_body.hpp"

namespace toccata {
namespace {

constexpr int most_stop_passes = 1000;  // over stops

}  // namespace

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
