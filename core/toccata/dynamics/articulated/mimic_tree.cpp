// Forces between mimic joints and the joints that they follow, by a Cholesky factorization.
#include "toccata/dynamics/articulated/mimic_tree.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/expects.hpp"

namespace toccata {

void MimicTree::build(const ArticulatedModel& model, std::span<const std::uint8_t> active,
                      const double* q) {
  tree_.build(model.joints, model.inertias, active, q);
  slots_.clear();
  for (const RigidGroup& group : tree_.groups().subspan(1)) {
    const Index j = group.joint;
    const bool leads = model.table.leader[j] == j;
    for (Index k = 0; k < group.count; ++k)
      slots_.push_back({model.table.first[j] + k, model.joints[j].factor, leads});
  }
  find_closures(model);
}

void MimicTree::find_closures(const ArticulatedModel& model) {
  closures_.clear();
  for (const RigidGroup& group : tree_.groups().subspan(1)) {
    const Index leader = model.table.leader[group.joint];
    if (leader == group.joint) continue;
    const Index other = tree_.group_of(leader);
    const RigidGroup& leads = tree_.groups()[other];
    expects(leads.joint == leader, "active", "expected joints that mimic each other together");
    closures_.push_back(
        {group.first, leads.first, model.joints[group.joint].factor / model.joints[leader].factor});
  }
  const std::size_t n = closures_.size();
  changes_.resize(freedoms());
  columns_.resize(n * freedoms());
  lower_.resize(n * n);
  scratch_.resize(std::max<std::size_t>(freedoms(), n));
}

void MimicTree::place(const ArticulatedModel& model, const double* q) {
  tree_.place(model.joints, q);
}

void MimicTree::factor(const double* resistance) {
  if (resistance) {
    // Power is force times rate: a force on the body's rate is 1 / factor of the force on the
    // freedom.
    for (Index i = 0; i < freedoms(); ++i) {
      const Slot& slot = slots_[i];
      scratch_[i] = slot.leads ? resistance[slot.rate] / (slot.factor * slot.factor) : 0;
    }
    tree_.factor(scratch_.data());
  } else {
    tree_.factor();
  }
  if (!closures_.empty()) factor_closures();
}

void MimicTree::factor_closures() {
  const std::size_t n = closures_.size(), width = freedoms();
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    scratch_[closures_[i].follower] = 1;
    scratch_[closures_[i].leader] = -closures_[i].ratio;
    tree_.clear_forces();
    tree_.strike(scratch_.data(), columns_.data() + i * width);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Closure& c = closures_[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* column = columns_.data() + j * width;
      double sum = column[c.follower] - c.ratio * column[c.leader];
      for (std::size_t k = 0; k < j; ++k) sum -= lower_[i * n + k] * lower_[j * n + k];
      lower_[i * n + j] = i == j ? std::sqrt(sum) : sum / lower_[j * n + j];
    }
  }
}

/// Makes the rates of mimic joints agree with the joints that they follow, by forces between them.
void MimicTree::close(double* rates) {
  const std::size_t n = closures_.size(), width = freedoms();
  double* const force = scratch_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const Closure& c = closures_[i];
    force[i] = c.ratio * rates[c.leader] - rates[c.follower];
    for (std::size_t k = 0; k < i; ++k) force[i] -= lower_[i * n + k] * force[k];
    force[i] /= lower_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) force[i] -= lower_[k * n + i] * force[k];
    force[i] /= lower_[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < width; ++k) rates[k] += force[i] * columns_[i * width + k];
}

void MimicTree::gather(const double* v, double* rates) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) rates[i] = slots_[i].factor * v[slots_[i].rate];
}

void MimicTree::gather_forces(const double* tau, double* forces) const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    forces[i] = slots_[i].leads ? tau[slots_[i].rate] / slots_[i].factor : 0;
}

void MimicTree::scatter(const double* rates, double scale, double* v) const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].leads) v[slots_[i].rate] += scale * (rates[i] / slots_[i].factor);
}

void MimicTree::accelerate(const double* forces, const Vec3d& ground, double* out) {
  tree_.accelerate(forces, ground, out);
  if (!closures_.empty()) close(out);
}

void MimicTree::strike(const double* impulses, double* out) {
  tree_.strike(impulses, out);
  if (!closures_.empty()) close(out);
}

void MimicTree::respond(Index group, const GroupTree::Six& impulses) {
  if (closures_.empty()) return tree_.respond(group, impulses);
  // Mimic joints may move groups beyond the chain to the ground, so all groups are visited.
  for (int c = 0; c < 6; ++c) {
    tree_.clear_forces();
    tree_.add_force(group, impulses[c]);
    strike(nullptr, changes_.data());
    tree_.spread(changes_.data());
    tree_.keep_response(c);
  }
}

}  // namespace toccata
