// Transforms of an assembly tree at one time, or enclosed over a window: from the principal handle
// of a node to the frame of its joint and to its secondary handles, and from any frame to the world
// (Kim, Redon, Kim 2008, sections 2.2 and 2.3).
#pragma once

#include <array>

#include "toccata/motion/chain.hpp"
#include "toccata/motion/interval_pose.hpp"
#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// Methods to bound the motions of frames.
enum class Enclosures : std::uint8_t {
  chains,     ///< bounds along the active joints, one after the other
  tree,       ///< the same bounds, composed in the assembly tree
  intervals,  ///< interval matrices, composed in the assembly tree
};

/// Pose of a frame at one time.
struct PlacedFrame {
  Pose pose;

  static PlacedFrame staying(const Seat& seat) { return {seat.pose}; }
  static PlacedFrame moving(const Twist& joint, const Window& at) {
    return {joint.pose(at.middle)};
  }
  PlacedFrame then(const PlacedFrame& next, const Window&) const { return {pose * next.pose}; }
};

/// State of a frame at one time, with bounds of its derivatives.
struct BoundedFrame {
  ChainState state;
  ChainSums sums;

  static BoundedFrame staying(const Seat& seat);
  static BoundedFrame moving(const Twist& joint, const Window& at);
  BoundedFrame then(const BoundedFrame& next, const Window& at) const;
};

/// Enclosure of all poses of a frame during a window.
struct EnclosedFrame {
  IntervalPose pose;

  static EnclosedFrame staying(const Seat& seat) { return {to_interval(seat.pose)}; }
  static EnclosedFrame moving(const Twist& joint, const Window& at) {
    return {joint.enclosure({at.start(), at.end()})};
  }
  EnclosedFrame then(const EnclosedFrame& next, const Window&) const { return {pose * next.pose}; }
};

/// Transforms during a straight motion, computed on demand. Rigid groups provide theirs.
template <class Frame>
class AssemblyTransforms {
 public:
  /// Starts a motion for which `groups` has been started. Reuses its buffers.
  void start(const Robot& robot, const RobotMotion& motion, RigidGroups& groups, Window at);

  /// Returns the frame of a joint relative to the world; -1 for the world frame.
  const Frame& world(Index joint);

  AssemblyWork work;

 private:
  struct Node {
    Count start = 0;
    Frame joint;
    std::array<Frame, 2> handles;
  };
  struct BodySet {
    Count start = 0;
    Frame frame;
  };
  const Node& at(Index node);
  Frame handle(Index node, Index slot);
  Frame joined(const Frame& first, const Frame& second) {
    ++work.products;
    return first.then(second, at_);
  }

  const Robot* robot_ = nullptr;
  const AssemblyTree* tree_ = nullptr;
  RobotMotion motion_{};
  RigidGroups* groups_ = nullptr;
  Window at_{};
  Count starts_ = 0;
  std::vector<Node> nodes_;
  std::vector<BodySet> worlds_;
};

}  // namespace toccata
