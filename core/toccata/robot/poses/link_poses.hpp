// Where the links of a robot are during one motion, computed once per time and frame.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/robot/poses/reduced_frames.hpp"

namespace toccata {

/// Bounds of a motion hold over at most this turn, in radians, of all joints of a chain together.
/// Over longer windows they are too loose to cull anything.
constexpr double widest_turn = 1.5;

/// The frames in which a pair of links is looked at.
struct PairFrames {
  Index root;  ///< a joint whose frame carries both, or -1 for the world
  Index a, b;  ///< seen from it
};

/// The frames of a robot that moves from one configuration to another. What was asked last is
/// remembered per joint and per frame, since pairs of links ask for the same times.
///
/// With rigid groups, frames are those of the joints that move, and a link hangs on the last of
/// them that carries it. Otherwise all joints count, whether they move or not.
class LinkPoses {
 public:
  /// Forgets all and starts a new motion. Keeps its memory. A straight one may be taken backwards.
  /// Groups, if there are some, have been started for the motion.
  void start(const Robot& robot, const RobotMotion& motion, bool backwards = false,
             RigidGroups* groups = nullptr);
  void start(const Robot& robot, const double* q_0, const double* q_1) {
    start(robot, RobotMotion{q_0, q_1});
  }

  /// The frame of a joint as the world sees it; -1 for one that stays.
  Index world_frame(Index joint) {
    if (!groups_) return robot_->world_frame(joint);
    return joint < 0 ? -1 : reduced_frame(-1, joint);
  }
  PairFrames frames(const LinkPair& pair);
  /// `PairFrames::root` alone.
  Index root(const LinkPair& pair) {
    return groups_ ? common(robot_->links()[pair.a].joint, robot_->links()[pair.b].joint)
                   : pair.root;
  }

  /// The frame at `t`, with bounds that hold within `reach` of t; -1 is a frame that stays.
  const ChainState& at(Index frame, double t, double reach);

  /// The same without bounds.
  const Pose& pose(Index frame, double t);

  /// Where a point of the frame of a joint is in the world.
  Vec3d place(Index joint, const Vec3d& point, double t) {
    if (!groups_ || joint < 0) return pose(world_frame(joint), t) * point;
    const Seat& seat = reduced_.seat(joint);
    return pose(world_frame(seat.carrier), t) * (seat.pose * point);
  }

  /// The motion of the mesh of a link in a frame.
  MotionState link(const Mesh& mesh, Index frame, double t, double reach) {
    return motion_state(at(frame, t, reach), mesh.center(), reach);
  }

  Chain chain(const Mesh& mesh, Index frame) {
    const std::span<const Index> path = path_of(frame);
    return curved_ ? Chain(curves_.data(), path, mesh.center())
                   : Chain(joints_.data(), path, mesh.center());
  }
  /// Exceeds the rounding error of a link's places, as the world sees it.
  double error(const Link& link) {
    return link.joint < 0 ? 0 : sums(link.joint).error(link.mesh->reach());
  }
  /// Bounds the speed of a link's points as `root` sees them: a joint that carries it, or -1 for
  /// the world.
  double speed(const Link& link, Index root) {
    return sums(link.joint).speed(link.mesh->reach(), sums(root));
  }
  /// The last active joint that carries the frames of two; -1: the world. With groups.
  Index common(Index joint_a, Index joint_b) { return reduced_.common(joint_a, joint_b); }
  /// What the joints up to the frame of a joint add up to.
  const ChainSums& sums(Index joint) {
    return groups_ && joint >= 0 && !groups_->is_active(joint) ? carried_sums(joint)
                                                               : sums_[joint + 1];
  }
  /// Radians that all joints of one chain turn together, or would if they kept their highest rates.
  double largest_turn() const { return largest_turn_; }
  /// Joints follow polynomials, not constant rates.
  bool is_curved() const { return curved_; }

  /// What was computed during the motion, with groups.
  AssemblyWork work;

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
  void start_all(const RobotMotion& motion, bool backwards);
  void start_active(const RobotMotion& motion, bool backwards);
  Index reduced_frame(Index root, Index joint);
  const ChainSums& carried_sums(Index joint);
  std::span<const Index> path_of(Index frame) {
    return groups_ ? reduced_.path(frame) : robot_->path(frame);
  }
  /// The frame before, and the joint that leads from it to a frame.
  std::pair<Index, Index> step_to(Index frame) const {
    if (groups_) return {reduced_[frame].parent, reduced_[frame].joint};
    const Frame& f = robot_->frames()[frame];
    return {f.parent, f.joint};
  }
  const Pose& local(Index joint, double t);

  const Robot* robot_ = nullptr;
  RigidGroups* groups_ = nullptr;
  ReducedFrames reduced_;
  bool curved_ = false;  // then `curves_` has the joints, otherwise `joints_`
  // By joint. With groups: of active joints, from the active one above; of others, where the last
  // active one carries them.
  std::vector<Twist> joints_;
  std::vector<Curve> curves_;
  std::vector<Placed> locals_;  // by joint
  std::vector<Placed> places_;  // by frame
  std::vector<Known> frames_;
  std::vector<ChainSums> sums_;  // up to joint i - 1
  std::vector<Count> sums_of_;   // of which motion the sums of a carried joint are
  double largest_turn_ = 0;
  Count motion_ = 0;
  ChainState root_;
};

}  // namespace toccata
