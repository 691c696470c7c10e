// Changes of the active joints of an articulated body, and of its velocities with them.
#include <algorithm>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/articulated/articulated_body.hpp"

namespace toccata {

void ArticulatedBody::rebuild(std::span<const std::uint8_t> active) {
  std::copy(active.begin(), active.end(), active_.begin());
  tree_.build(model_, active_, q_.data());
  const auto size = static_cast<std::size_t>(std::max(freedoms(), tree_.freedoms()));
  for (std::vector<double>* scratch : {&start_, &rates_, &forces_, &out_})
    if (scratch->size() < size) scratch->resize(size);
  placed_ = moving_ = false, factored_ = -1;
}

Index ArticulatedBody::active_count() const {
  return static_cast<Index>(std::count(active_.begin(), active_.end(), 1));
}

void ArticulatedBody::set_active(std::span<const std::uint8_t> active) {
  expects(active.size() == active_.size(), "active", "expected a value for each joint",
          static_cast<double>(active.size()));
  std::transform(active.begin(), active.end(), wanted_.begin(),
                 [](std::uint8_t a) { return a != 0; });
  selection_.complete(wanted_);
  if (wanted_ == active_) return;
  set_rates();
  const bool grows =
      std::equal(active_.begin(), active_.end(), wanted_.begin(),
                 [](std::uint8_t before, std::uint8_t now) { return before <= now; });
  if (grows) {
    rebuild(wanted_);
    return;
  }
  const GroupTree before = tree_.tree();
  rebuild(wanted_);
  keep_momentum(before);
}

/// Projects the velocities before onto those that active joints allow, in the mass metric. The
/// impulses that make groups rigid are internal, so they keep momentum. A body at rest that
/// receives its former momentum as an impulse therefore gets the same velocities.
void ArticulatedBody::keep_momentum(const GroupTree& before) {
  factor(0);
  GroupTree& tree = tree_.tree();
  tree.clear_forces();
  for (Index j = 0; j < static_cast<Index>(active_.size()); ++j) {
    const RigidGroup& group = before.groups()[before.group_of(j)];
    const Spatial motion = motion_from_parent(before.offset(j), group.velocity);
    tree.add_force(tree.group_of(j), force_to_parent(tree.offset(j), model_.inertias[j] * motion));
  }
  tree_.strike(nullptr, out_.data());
  std::fill(v_.begin(), v_.end(), 0.0);
  tree_.scatter(out_.data(), 1, v_.data());
  moving_ = false;
}

void ArticulatedBody::activate(std::span<const Index> joints) {
  std::vector<std::uint8_t> active = active_;
  for (Index j : joints)
    for (; j >= 0; j = model_.joints[j].parent) active[j] = true;
  set_active(active);
}

std::span<const double> ArticulatedBody::measure() {
  MimicTree& all = full();
  all.place(model_, q_.data());
  all.factor();
  all.gather(v_.data(), rates_.data());
  gather_forces(all);
  accelerate(all, rates_.data(), out_.data());
  for (const RigidGroup& group : all.tree().groups().subspan(1)) {
    const JointKind kind = model_.joints[group.joint].kind;
    double sum = 0;
    for (Index k = 0; k < group.count; ++k) {
      const bool turns = kind == JointKind::revolute || (kind == JointKind::planar && k == 2) ||
                         (kind == JointKind::floating && k > 2);
      const double unit = turns ? 1 : settings_.metric_length;
      const double a = out_[group.first + k] / unit;
      const double b = rates_[group.first + k] / (unit * settings_.metric_time);
      sum += a * a + b * b;
    }
    values_[group.joint] = sum;
  }
  selection_.measure(values_);
  return values_;
}

void ArticulatedBody::adapt(const ActiveChoice& choice) {
  const bool changed = choice != choice_;
  choice_ = choice;
  if (choice.activity == Activity::kept) return;
  const bool all = tree_.tree().groups().size() == active_.size() + 1;
  if (choice.activity == Activity::chosen && !changed && ++since_refresh_ < settings_.refresh)
    return;
  since_refresh_ = 0;
  rigid_metric_ = 0;
  if (choice.activity == Activity::all && all) return;
  chosen_.assign(active_.size(), 1);
  if (choice.activity == Activity::chosen) {
    measure();
    rigid_metric_ = selection_.choose(choice, chosen_);
    work_.refreshes += 1, work_.refreshed += static_cast<Count>(active_.size());
  }
  set_active(chosen_);
}

}  // namespace toccata
