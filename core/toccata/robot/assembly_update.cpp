// Update of the assembly tree for a new motion: only the nodes above joints that have become active
// or inactive, or that have a new fixed pose, get new transforms and boxes.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "toccata/robot/rigid_groups.hpp"

namespace toccata {
namespace {

Count next_version() {
  static std::atomic<Count> last{0};
  return ++last;
}

/// Returns the bounding box of a box in another frame, up to rounding, for which callers allow.
Box moved(const Pose& pose, const Box& box) {
  if (!(box.lo.x <= box.hi.x)) return box;
  const Mat3d& r = pose.rotation;
  const Vec3d half = (box.hi - box.lo) * 0.5, middle = pose * center(box);
  const Vec3d far = abs(r.x) * half.x + abs(r.y) * half.y + abs(r.z) * half.z;
  return {middle - far, middle + far};
}

}  // namespace

void RigidGroups::start(const Robot& robot, const RobotMotion& motion, AssemblyWork& work) {
  robot_ = &robot;
  ++epoch_;
  toggled_ = false;
  stale_.clear();
  if (id_ != robot.id()) reset(robot);
  find_changes(motion);
  if (toggled_) find_moving();
  if (stale_.empty()) return;
  version_ = next_version();
  std::sort(stale_.begin(), stale_.end());  // children first
  for (const Index node : stale_) update(node, motion.start, work);
}

void RigidGroups::reset(const Robot& robot) {
  id_ = robot.id();
  tree_ = &robot.assembly().tree();
  const std::size_t joints = robot.joints().size(), nodes = tree_->nodes().size();
  values_.assign(robot.coordinates(), std::numeric_limits<double>::quiet_NaN());
  active_.assign(joints, false);
  seen_.assign(joints, 0);
  active_inside_.assign(nodes, 0);
  changed_.assign(nodes, 0);
  known_.assign(nodes, {});
  boxes_.assign(nodes, {});
  reaches_.assign(nodes, 0);
  seats_.assign(joints + 1, {});
  for (std::size_t f = 0; f <= joints; ++f) {
    boxes_[f] = robot.assembly().box(static_cast<Index>(f));
    reaches_[f] = robot.assembly().reach(static_cast<Index>(f));
  }
  toggled_ = true;
  version_ = next_version();
}

/// Marks all nodes above the joint as stale.
void RigidGroups::mark(Index joint) {
  for (Index node = tree_->node_of_joint(joint); node >= 0; node = (*tree_)[node].parent) {
    if (changed_[node] == epoch_) break;
    changed_[node] = epoch_;
    stale_.push_back(node);
  }
}

void RigidGroups::update(Index index, const double* q, AssemblyWork& work) {
  ++work.nodes_updated;
  const AssemblyNode& node = (*tree_)[index];
  Known& known = known_[index];
  if (active_[node.joint]) {
    known.joint = {};
    known.joint.carrier = node.joint;
  } else {
    const Pose local = robot_->motion(node.joint, q, q).pose(0);
    const Seat step{-1, local, norm(local.translation), 1};
    known.joint = joined(handle(node.upper, node.hook), step, work);
  }
  for (std::size_t k = 0; k < 2 && node.handles[k] >= 0; ++k) {
    const auto [is_lower, slot] = node.sources[k];
    known.handles[k] = is_lower ? joined(known.joint, handle(node.lower, slot), work)
                                : handle(node.upper, slot);
  }
  if (!is_rigid(index)) return;
  boxes_[index] = boxes_[node.upper];
  extend(boxes_[index], moved(known.joint.pose, boxes_[node.lower]));
  reaches_[index] = std::max(reaches_[node.upper], known.joint.length + reaches_[node.lower]);
}

}  // namespace toccata
