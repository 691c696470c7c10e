// Where the links of a robot are during one motion, computed once per time and frame.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/query/articulated/robot.hpp"

namespace toccata {

/// The frames of a robot that moves from one configuration to another. What was asked last is
/// remembered per joint and per frame, since pairs of links ask for the same times.
class Places {
 public:
  /// Forgets all and starts a new motion. Keeps its memory.
  void start(const Robot& robot, const double* q_0, const double* q_1);

  /// The frame at `t`, with bounds that hold within `reach` of t; -1 is a frame that stays.
  const ChainState& at(Index frame, double t, double reach);

  /// The motion of the mesh of a link in a frame.
  MotionState link(const Mesh& mesh, Index frame, double t, double reach) {
    return motion_state(at(frame, t, reach), mesh.center(), reach);
  }

  Chain chain(const Mesh& mesh, Index frame) const {
    return Chain(joints_.data(), robot_->path(frame), mesh.center());
  }
  /// Radians that the joint and all joints above it turn together at most.
  double turn(Index joint) const { return joint < 0 ? 0 : turn_[joint]; }
  double largest_turn() const { return largest_turn_; }

 private:
  struct Local {
    double time;
    Pose pose;
  };
  struct Known {
    double time, reach;
    ChainState state;
  };
  const Pose& local(Index joint, double t);

  const Robot* robot_ = nullptr;
  std::vector<Twist> joints_;
  std::vector<Local> locals_;
  std::vector<Known> frames_;
  std::vector<double> turn_;
  double largest_turn_ = 0;
  ChainState root_;
};

}  // namespace toccata
