// Frames of active joints, made on demand and shared by pairs of links.
#include "toccata/robot/poses/reduced_frames.hpp"

#include <algorithm>

namespace toccata {

void ReducedFrames::start(const Robot& robot, RigidGroups& groups, AssemblyWork& work) {
  robot_ = &robot, groups_ = &groups, work_ = &work;
  for (const Index joint : touched_) known_[joint].clear();
  touched_.clear();
  entries_.clear();
  const std::size_t joints = robot.joints().size();
  above_.resize(joints), depths_.resize(joints);
  if (known_.size() < joints) known_.resize(joints);
  for (const Index joint : groups.active()) {
    above_[joint] = carrier(robot.joints()[joint].parent);
    depths_[joint] = depth(above_[joint]) + 1;
  }
}

Index ReducedFrames::common(Index joint_a, Index joint_b) {
  return shared(carrier(joint_a), carrier(joint_b));
}

Index ReducedFrames::shared(Index a, Index b) const {
  while (a != b) (depth(a) > depth(b) ? a : b) = above_[depth(a) > depth(b) ? a : b];
  return a;
}

Index ReducedFrames::frame(Index from, Index joint) {
  if (joint == from) return -1;
  const auto slot = static_cast<std::size_t>(depth(from));
  if (known_[joint].empty()) touched_.push_back(joint);
  if (known_[joint].size() <= slot) known_[joint].resize(slot + 1, -1);
  if (known_[joint][slot] >= 0) return known_[joint][slot];
  const bool is_active = groups_->is_active(joint);
  const Index parent = frame(from, is_active ? above_[joint] : carrier(joint));
  entries_.push_back({parent, joint});
  return known_[joint][slot] = size() - 1;
}

std::span<const Index> ReducedFrames::path(Index frame) {
  if (frame < 0) return {};
  if (paths_.size() < entries_.size()) paths_.resize(entries_.size());
  std::vector<Index>& path = paths_[frame];
  path.clear();
  for (; frame >= 0; frame = entries_[frame].parent) path.push_back(entries_[frame].joint);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace toccata
