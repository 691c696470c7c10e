// Frames of a robot with some active joints: chains of the active joints only, followed by one
// joint that does not move if the link belongs to an inactive joint.
#pragma once

#include <deque>

#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// Frames made on demand. Reuses its buffers from motion to motion.
class ReducedFrames {
 public:
  /// A frame relative to the frame of an active joint or to the world. It is attached by `joint` to
  /// another frame, or to the reference frame itself (-1).
  struct Entry {
    Index parent, joint;
  };

  void start(const Robot& robot, RigidGroups& groups, AssemblyWork& work);

  /// Returns the frame of a joint relative to the active joint `from` (-1: the world), which
  /// carries it; -1 if the two are the same.
  Index frame(Index from, Index joint);
  const Entry& operator[](Index frame) const { return entries_[frame]; }
  Index size() const { return static_cast<Index>(entries_.size()); }
  /// Returns the joints of a frame after the reference frame. Valid during the motion.
  std::span<const Index> path(Index frame);

  Index carrier(Index joint) { return groups_->seat(joint, *work_).carrier; }
  const Seat& seat(Index joint) { return groups_->seat(joint, *work_); }
  /// Returns the deepest active joint that carries both frames; -1 for the world.
  Index common(Index joint_a, Index joint_b);
  /// Does the same for two active joints, or -1.
  Index shared(Index a, Index b) const;
  /// Returns the next active joint above an active one; -1: none.
  Index above(Index joint) const { return above_[joint]; }

 private:
  Index depth(Index joint) const { return joint < 0 ? 0 : depths_[joint]; }

  const Robot* robot_ = nullptr;
  RigidGroups* groups_ = nullptr;
  AssemblyWork* work_ = nullptr;
  std::vector<Index> above_, depths_;  // by active joint
  std::vector<Entry> entries_;
  std::deque<std::vector<Index>> paths_;  // paths of the frames that were requested
  // By joint: its frames, by the depth of the reference joint; -1 if not made yet.
  std::vector<std::vector<Index>> known_;
  std::vector<Index> touched_;  // joints with frames
};

}  // namespace toccata
