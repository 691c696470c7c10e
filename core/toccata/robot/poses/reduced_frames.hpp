// The frames of a robot of which some joints move: chains of those joints alone, with one more that
// does not move where a link hangs on none of them.
#pragma once

#include <deque>

#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// Frames are made when they are asked for. Keeps its memory from motion to motion.
class ReducedFrames {
 public:
  /// A frame seen from that of an active joint, or from the world's: it hangs on another one, or on
  /// that (-1), by a joint.
  struct Entry {
    Index parent, joint;
  };

  void start(const Robot& robot, RigidGroups& groups, AssemblyWork& work);

  /// The frame of a joint, seen from that of an active one (-1: from the world's) that carries it;
  /// -1 if it is that.
  Index frame(Index root, Index joint);
  const Entry& operator[](Index frame) const { return entries_[frame]; }
  Index size() const { return static_cast<Index>(entries_.size()); }
  /// Its joints from the root on. Stays where it is during the motion.
  std::span<const Index> path(Index frame);

  Index carrier(Index joint) { return groups_->seat(joint, *work_).carrier; }
  const Seat& seat(Index joint) { return groups_->seat(joint, *work_); }
  /// The last active joint that carries the frames of both; -1: the world.
  Index common(Index joint_a, Index joint_b);
  /// The active joint above an active one; -1: none.
  Index above(Index joint) const { return above_[joint]; }

 private:
  Index depth(Index joint) const { return joint < 0 ? 0 : depths_[joint]; }

  const Robot* robot_ = nullptr;
  RigidGroups* groups_ = nullptr;
  AssemblyWork* work_ = nullptr;
  std::vector<Index> above_, depths_;  // by active joint
  std::vector<Entry> entries_;
  std::deque<std::vector<Index>> paths_;  // of frames that were asked for
  // By joint: its frames, by the depth of their root; -1 where there is none.
  std::vector<std::vector<Index>> known_;
  std::vector<Index> touched_;  // joints with some
};

}  // namespace toccata
