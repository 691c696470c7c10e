// The transforms of an assembly tree at one time, or enclosed over a window of time: from the
// principal handle of a node to the frame of its joint and to its secondary handles, and from any
// frame to the world (Kim, Redon, Kim 2008, sections 2.2 and 2.3).
#pragma once

#include <array>

#include "toccata/motion/chain.hpp"
#include "toccata/motion/interval_pose.hpp"
#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// How the motions of frames are bounded.
enum class Enclosures : std::uint8_t {
  chains,     ///< along the active joints, one after the other
  tree,       ///< the same bounds, composed in the assembly tree
  intervals,  ///< interval matrices, composed in the assembly tree
};

/// Where a frame is at one time.
struct PlacedFrame {
  Pose pose;

  static PlacedFrame staying(const Seat& seat) { return {seat.pose}; }
  static PlacedFrame moving(const Twist& joint, const Window& at) {
    return {joint.pose(at.middle)};
  }
  PlacedFrame then(const PlacedFrame& next, const Window&) const { return {pose * next.pose}; }
};

/// The same with bounds of its derivatives.
struct BoundedFrame {
  ChainState state;
  ChainSums sums;

  static BoundedFrame staying(const Seat& seat);
  static BoundedFrame moving(const Twist& joint, const Window& at);
  BoundedFrame then(const BoundedFrame& next, const Window& at) const;
};

/// All poses of a window.
struct EnclosedFrame {
  IntervalPose pose;

  static EnclosedFrame staying(const Seat& seat) { return {to_interval(seat.pose)}; }
  static EnclosedFrame moving(const Twist& joint, const Window& at) {
    return {joint.enclosure({at.start(), at.end()})};
  }
  EnclosedFrame then(const EnclosedFrame& next, const Window&) const { return {pose * next.pose}; }
};

/// Of a straight motion, computed when asked for. Rigid parts have the transforms that groups keep.
template <class Frame>
class AssemblyTransforms {
 public:
  /// Groups have been started for the motion. Keeps its memory.
  void start(const Robot& robot, const RobotMotion& motion, RigidGroups& groups, Window at);

  /// The frame of a joint as the world sees it; -1 for the world's own.
  const Frame& world(Index joint);

  AssemblyWork work;

 private:
  struct Node {
    Count start = 0;
    Frame place;
    std::array<Frame, 2> handles;
  };
  struct World {
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
  std::vector<World> worlds_;
};

}  // namespace toccata
