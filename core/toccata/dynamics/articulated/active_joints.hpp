// Which joints of an articulated body are worth simulating (Redon, Galoppo, Lin 2005): a metric of
// motion for each node of the assembly tree, and the joints that it makes active.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"
#include "toccata/robot/assembly_tree.hpp"

namespace toccata {

/// Which joints are active.
enum class Activity : std::uint8_t {
  all,
  chosen,  ///< those that matter most
  kept,    ///< those that are
};

struct ActiveChoice {
  Activity activity = Activity::all;
  /// Of chosen ones: how many there may be, and which metric all others may have together.
  Index most = std::numeric_limits<Index>::max();
  double error = 0;

  bool operator==(const ActiveChoice&) const = default;
};

/// Floating joints on the ground are always active, and not counted.
class ActiveJoints {
 public:
  ActiveJoints(std::span<const Joint> joints, const FreedomTable& table);

  const AssemblyTree& tree() const { return tree_; }

  /// The metric of each node: the sum over the joints inside. `values` has that of each joint.
  void measure(std::span<const double> values);
  std::span<const double> metrics() const { return metrics_; }

  /// Opens nodes from the root on, that with the largest metric first, and makes their joints
  /// active, as long as there may be more and others exceed the error. Joints that share a number
  /// become active together. Returns the metric of all that stays rigid.
  double choose(const ActiveChoice& choice, std::span<std::uint8_t> active);
  /// Adds floating joints on the ground, and joints that share a number with active ones.
  void complete(std::span<std::uint8_t> active) const;

 private:
  AssemblyTree tree_;
  std::vector<std::uint8_t> bases_;
  std::vector<Index> next_;  // by joint: the next one with the same number, in a ring
  std::vector<double> values_, metrics_;
  std::vector<std::pair<double, Index>> queue_;  // a heap of metrics and nodes
};

}  // namespace toccata
