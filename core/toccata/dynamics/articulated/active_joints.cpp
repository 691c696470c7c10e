// The metric of each node of the assembly tree, and the choice of the nodes with the largest one.
#include "toccata/dynamics/articulated/active_joints.hpp"

#include <algorithm>
#include <numeric>

namespace toccata {

ActiveJoints::ActiveJoints(std::span<const Joint> joints, const FreedomTable& table)
    : tree_(joints), next_(joints.size()) {
  for (const Joint& joint : joints)
    bases_.push_back(joint.parent < 0 && joint.kind == JointKind::floating);
  values_.resize(joints.size());
  metrics_.resize(tree_.nodes().size());
  std::iota(next_.begin(), next_.end(), 0);
  for (Index j = 0; j < static_cast<Index>(joints.size()); ++j)
    if (table.leader[j] != j) std::swap(next_[j], next_[table.leader[j]]);
}

void ActiveJoints::measure(std::span<const double> values) {
  for (std::size_t j = 0; j < values.size(); ++j) values_[j] = bases_[j] ? 0 : values[j];
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const AssemblyNode& node = tree_.nodes()[i];
    metrics_[i] =
        node.is_leaf() ? 0 : values_[node.joint] + metrics_[node.upper] + metrics_[node.lower];
  }
}

double ActiveJoints::choose(const ActiveChoice& choice, std::span<std::uint8_t> active) {
  std::copy(bases_.begin(), bases_.end(), active.begin());
  double left = metrics_[tree_.root()];
  Index count = 0;
  queue_.clear();
  const auto push = [&](Index node) {
    if (tree_[node].is_leaf()) return;
    queue_.push_back({metrics_[node], node});
    std::push_heap(queue_.begin(), queue_.end());
  };
  push(tree_.root());
  while (!queue_.empty() && count < choice.most && left > choice.error) {
    std::pop_heap(queue_.begin(), queue_.end());
    const AssemblyNode& node = tree_[queue_.back().second];
    queue_.pop_back();
    for (Index j = node.joint; !active[j]; j = next_[j]) {
      active[j] = true;
      left -= values_[j], count += 1;
    }
    push(node.upper), push(node.lower);
  }
  return std::max(left, 0.0);
}

void ActiveJoints::complete(std::span<std::uint8_t> active) const {
  for (Index j = 0; j < static_cast<Index>(active.size()); ++j) {
    if (bases_[j]) active[j] = true;
    if (active[j])
      for (Index k = next_[j]; !active[k]; k = next_[k]) active[k] = true;
  }
}

}  // namespace toccata
