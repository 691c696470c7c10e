// Composition of transforms in the assembly tree, for poses, bounded states and enclosures.
#include "toccata/robot/assembly_transforms.hpp"

namespace toccata {

BoundedFrame BoundedFrame::staying(const Seat& seat) {
  BoundedFrame frame;
  frame.state.pose = seat.pose;
  frame.sums = ChainSums().carried(seat.length, seat.joints);
  return frame;
}

BoundedFrame BoundedFrame::moving(const Twist& joint, const Window& at) {
  return {follow(ChainState{}, joint, joint.pose(at.middle), at.half),
          ChainSums(ChainSums{}, joint)};
}

BoundedFrame BoundedFrame::then(const BoundedFrame& next, const Window& at) const {
  return {follow(state, next.state, next.sums.speed(0, {}), at.half), sums.joined(next.sums)};
}

template <class Frame>
void AssemblyTransforms<Frame>::start(const Robot& robot, const RobotMotion& motion,
                                      RigidGroups& groups, Window at) {
  robot_ = &robot, motion_ = motion, groups_ = &groups, at_ = at;
  tree_ = &robot.assembly().tree();
  ++starts_;
  work = {};
  nodes_.resize(tree_->nodes().size());
  worlds_.resize(robot.joints().size() + 1);
}

template <class Frame>
Frame AssemblyTransforms<Frame>::handle(Index node, Index slot) {
  if (slot < 0) return Frame::staying({});
  const Seat& kept = groups_->handle(node, slot);
  return kept.carrier < 0 ? Frame::staying(kept) : at(node).handles[slot];
}

/// Computes the transforms of a node, from the leaves upward, as far as needed.
template <class Frame>
const typename AssemblyTransforms<Frame>::Node& AssemblyTransforms<Frame>::at(Index index) {
  Node& found = nodes_[index];
  if (found.start == starts_) return found;
  found.start = starts_;
  ++work.nodes_updated;
  const AssemblyNode& node = (*tree_)[index];
  const Seat& kept = groups_->joint_seat(index);
  found.joint =
      kept.carrier < 0
          ? Frame::staying(kept)
          : joined(handle(node.upper, node.hook),
                   Frame::moving(robot_->motion(node.joint, motion_.start, motion_.end), at_));
  for (std::size_t k = 0; k < 2 && node.handles[k] >= 0; ++k) {
    const auto [is_lower, slot] = node.sources[k];
    found.handles[k] = is_lower ? joined(found.joint, handle(node.lower, slot))
                                : handle(node.upper, slot);
  }
  return found;
}

/// Composes the frames from the leaf to the root.
template <class Frame>
const Frame& AssemblyTransforms<Frame>::world(Index joint) {
  BodySet& found = worlds_[joint + 1];
  if (found.start == starts_) return found.frame;
  Frame frame = Frame::staying({});
  for (Index node = joint + 1; (*tree_)[node].parent >= 0; node = (*tree_)[node].parent) {
    const Index above = (*tree_)[node].parent;
    if ((*tree_)[above].lower == node) frame = joined(at(above).joint, frame);
  }
  found = {starts_, frame};
  return found.frame;
}

template class AssemblyTransforms<PlacedFrame>;
template class AssemblyTransforms<BoundedFrame>;
template class AssemblyTransforms<EnclosedFrame>;

}  // namespace toccata
