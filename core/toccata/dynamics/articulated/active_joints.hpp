// Selection of the joints of an articulated body that are simulated (Redon, Galoppo, Lin 2005): a
// metric of motion for each node of the assembly tree, and the joints that it makes active.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"
#include "toccata/robot/assembly_tree.hpp"

namespace toccata {

/// Rule by which joints become active.
enum class Activity : std::uint8_t {
  all,
  chosen,  ///< those with the largest metric
  kept,    ///< those that are active now
};

struct ActiveChoice {
  Activity activity = Activity::all;
  /// Limits for `chosen`: the number of active joints, and the metric of all other joints together.
  Index most = std::numeric_limits<Index>::max();
  double error = 0;

  bool operator==(const ActiveChoice&) const = default;
};

/// The active joints of one articulated body. Floating joints on the ground are always active, and
/// are not counted.
class ActiveJoints {
 public:
  ActiveJoints(std::span<const Joint> joints, const FreedomTable& table);

  const AssemblyTree& tree() const { return tree_; }

  /// Computes the metric of each node: the sum of `values`, one for each joint, over its joints.
  void measure(std::span<const double> values);
  std::span<const double> metrics() const { return metrics_; }

  /// Activates the joints of nodes from the root on, the node with the largest metric first, until
  /// the number of joints is reached or the metric of all others is within the error. Joints that
  /// share a coordinate become active together. Returns the metric of all joints that stay
  /// inactive.
  double choose(const ActiveChoice& choice, std::span<std::uint8_t> active);
  /// Adds floating joints on the ground, and joints that share a coordinate with active ones.
  void complete(std::span<std::uint8_t> active) const;

 private:
  AssemblyTree tree_;
  std::vector<std::uint8_t> bases_;
  std::vector<Index> next_;  // by joint: the next one with the same coordinate, in a ring
  std::vector<double> values_, metrics_;
  std::vector<std::pair<double, Index>> queue_;  // a heap of metrics and nodes
};

}  // namespace toccata
