// Detection of active joints, and incremental update of transforms inside rigid groups.
#include "toccata/robot/rigid_groups.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

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

Seat joined(const Seat& first, const Seat& second, AssemblyWork& work) {
  if (second.carrier >= 0 || first.joints == 0) {
    Seat seat = second;
    if (second.carrier < 0) seat.carrier = first.carrier;
    return seat;
  }
  if (second.joints == 0) return first;
  ++work.products;
  return {first.carrier, first.pose * second.pose, first.length + second.length,
          first.joints + second.joints};
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

/// Compares 16 coordinates at a time, bit by bit, because most of them are unchanged.
void RigidGroups::find_changes(const RobotMotion& motion) {
  constexpr Index few = 16;
  const auto count = static_cast<Index>(values_.size());
  const auto bits = [](const double* x, Index k) {
    std::uint64_t number;
    std::memcpy(&number, x + k, sizeof(number));
    return number;
  };
  Index i = 0;
  for (; i + few <= count && !motion.powers; i += few) {
    std::uint64_t changed = 0;
    for (Index k = i; k < i + few; ++k) {
      const std::uint64_t now = bits(motion.start, k);
      changed |= (now ^ bits(values_.data(), k)) | (now ^ bits(motion.end, k));
    }
    if (changed)
      for (Index k = i; k < i + few; ++k) detect_change(k, motion);
  }
  for (; i < count; ++i) detect_change(i, motion);
}

void RigidGroups::detect_change(Index i, const RobotMotion& motion) {
  const double value = motion.start[i];
  bool moves = false;
  if (!motion.powers) moves = value != motion.end[i];
  const std::size_t width = values_.size();
  for (std::size_t k = 0; k < 5 && motion.powers; ++k) moves |= motion.powers[k * width + i] != 0;
  if (!moves && values_[i] == value) return;
  values_[i] = moves ? std::numeric_limits<double>::quiet_NaN() : value;
  for (const Index joint : robot_->assembly().joints(i)) detect_joint_change(joint, motion);
}

void RigidGroups::detect_joint_change(Index j, const RobotMotion& motion) {
  if (seen_[j] == epoch_) return;
  seen_[j] = epoch_;
  const Joint& joint = robot_->joints()[j];
  const std::size_t width = values_.size();
  bool moves = false;
  for (Index k = 0; k < coordinate_count(joint.kind); ++k) {
    const Index i = joint.coordinate + k;
    if (!motion.powers) moves |= motion.start[i] != motion.end[i];
    for (std::size_t p = 0; p < 5 && motion.powers; ++p) moves |= motion.powers[p * width + i] != 0;
  }
  // No kept value depends on the pose of a joint that moves.
  if (moves && active_[j]) return;
  if (moves != static_cast<bool>(active_[j])) {
    toggled_ = true;
    active_[j] = moves;
    for (Index node = tree_->node_of_joint(j); node >= 0; node = (*tree_)[node].parent)
      active_inside_[node] += moves ? 1 : -1;
  }
  mark(j);
}

/// Marks all nodes above the joint as stale.
void RigidGroups::mark(Index joint) {
  for (Index node = tree_->node_of_joint(joint); node >= 0; node = (*tree_)[node].parent) {
    if (changed_[node] == epoch_) break;
    changed_[node] = epoch_;
    stale_.push_back(node);
  }
}

void RigidGroups::find_moving() {
  active_joints_.clear();
  for (Index j = 0; j < static_cast<Index>(active_.size()); ++j)
    if (active_[j]) active_joints_.push_back(j);
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

/// Composes the seat from the leaf upward. Stops at an active joint, above which nothing matters.
const Seat& RigidGroups::seat(Index joint, AssemblyWork& work) {
  Kept& kept = seats_[joint + 1];
  if (kept.version == version_) return kept.seat;
  Seat seat;
  for (Index node = joint + 1; seat.carrier < 0;) {
    const Index above = (*tree_)[node].parent;
    if (above < 0) break;
    if ((*tree_)[above].lower == node) seat = joined(known_[above].joint, seat, work);
    node = above;
  }
  kept = {version_, seat};
  return kept.seat;
}

}  // namespace toccata
