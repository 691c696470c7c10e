// Detection of active joints, and seats of frames in rigid groups.
#include "toccata/robot/rigid_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace toccata {

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

void RigidGroups::find_moving() {
  active_joints_.clear();
  for (Index j = 0; j < static_cast<Index>(active_.size()); ++j)
    if (active_[j]) active_joints_.push_back(j);
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
