// Where the links of a robot are during one motion, computed once per time and frame.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/query/articulated/robot.hpp"

namespace toccata {

/// The frames of a robot that moves from one configuration to another. What was asked last is
/// remembered per joint and per frame, since pairs of links ask for the same times.
class LinkPoses {
 public:
  /// Forgets all and starts a new motion. Keeps its memory. A straight one may be taken backwards.
  void start(const Robot& robot, const RobotMotion& motion, bool backwards = false);
  void start(const Robot& robot, const double* q_0, const double* q_1) {
    start(robot, RobotMotion{q_0, q_1});
  }

  /// The frame at `t`, with bounds that hold within `reach` of t; -1 is a frame that stays.
  const ChainState& at(Index frame, double t, double reach);

  /// The same without bounds.
  const Pose& pose(Index frame, double t);

  /// The motion of the mesh of a link in a frame.
  MotionState link(const Mesh& mesh, Index frame, double t, double reach) {
    return motion_state(at(frame, t, reach), mesh.center(), reach);
  }

  Chain chain(const Mesh& mesh, Index frame) const {
    const std::span<const Index> path = robot_->path(frame);
    return curved_ ? Chain(curves_.data(), path, mesh.center())
                   : Chain(joints_.data(), path, mesh.center());
  }
  /// Exceeds the rounding error of a link's places, as the world sees it.
  double error(const Link& link) const {
    return link.joint < 0 ? 0 : sums_[link.joint + 1].error(link.mesh->reach());
  }
  /// Bounds the speed of a link's points as `root` sees them: a joint that carries it, or -1 for
  /// the world.
  double speed(const Link& link, Index root) const {
    return sums_[link.joint + 1].speed(link.mesh->reach(), sums_[root + 1]);
  }
  /// Radians that all joints of one chain turn together, or would if they kept their highest rates.
  double largest_turn() const { return largest_turn_; }
  /// Joints follow polynomials, not constant rates.
  bool is_curved() const { return curved_; }

 private:
  // What belongs to an earlier motion is told by its number.
  struct Placed {
    Count motion = 0;
    double time = 0;
    Pose pose;
  };
  struct Known {
    Count motion = 0;
    double time = 0, reach = 0;
    ChainState state;
  };
  const Pose& local(Index joint, double t);

  const Robot* robot_ = nullptr;
  bool curved_ = false;  // then `curves_` has the joints, otherwise `joints_`
  std::vector<Twist> joints_;
  std::vector<Curve> curves_;
  std::vector<Placed> locals_;  // by joint
  std::vector<Placed> places_;  // by frame
  std::vector<Known> frames_;
  std::vector<ChainSums> sums_;  // up to joint i - 1
  double largest_turn_ = 0;
  Count motion_ = 0;
  ChainState root_;
};

}  // namespace toccata
