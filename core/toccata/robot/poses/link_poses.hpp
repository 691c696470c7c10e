// Poses of the links of a robot during one motion, computed once per time and frame.
#pragma once

#include <vector>

#include "toccata/motion/chain.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/robot/poses/reduced_frames.hpp"

namespace toccata {

/// Largest rotation, in radians, of all joints of a chain together for which bounds of a motion
/// hold. Over longer windows, bounds are too loose to cull anything.
constexpr double widest_turn = 1.5;

/// Frames of two links relative to their carrier.
struct PairFrames {
  Index carrier;  ///< a joint, or -1 for the world
  Index a, b;     ///< relative to the carrier
};

/// Frames of a robot that moves from one configuration to another. Keeps the last result per joint
/// and per frame, because pairs of links request the same times.
///
/// With rigid groups, there are frames only for active joints, and a link belongs to the deepest
/// active joint that carries it. Without groups, all joints have frames, whether they move or not.
class LinkPoses {
 public:
  /// Starts a new motion. A straight motion may be reversed. If there are groups, they have been
  /// started for the motion. Reuses its buffers.
  void start(const Robot& robot, const RobotMotion& motion, bool backwards = false,
             RigidGroups* groups = nullptr);
  void start(const Robot& robot, const double* q_0, const double* q_1) {
    start(robot, RobotMotion{q_0, q_1});
  }

  /// Returns the frame of a joint relative to the world; -1 if it does not move.
  Index world_frame(Index joint) {
    if (!groups_) return robot_->world_frame(joint);
    return joint < 0 ? -1 : reduced_frame(-1, joint);
  }
  PairFrames frames(const LinkPair& pair);
  /// Returns the deepest joint that carries both links; with groups, the deepest active one.
  Index carrier(const LinkPair& pair) {
    return groups_ ? common(robot_->links()[pair.a].joint, robot_->links()[pair.b].joint)
                   : pair.carrier;
  }

  /// Returns a frame at `t`, with bounds that hold within `half` of t. Frame -1 does not move.
  const ChainState& at(Index frame, double t, double half);

  /// Returns a frame at `t` without bounds.
  const Pose& pose(Index frame, double t);

  /// Returns the world position of a point in the frame of a joint.
  Vec3d position(Index joint, const Vec3d& point, double t) {
    if (!groups_ || joint < 0) return pose(world_frame(joint), t) * point;
    const Seat& seat = reduced_.seat(joint);
    return pose(world_frame(seat.carrier), t) * (seat.pose * point);
  }

  /// Returns the motion state of a link's mesh in a frame.
  MotionState link(const Mesh& mesh, Index frame, double t, double half) {
    return motion_state(at(frame, t, half), mesh.center(), half);
  }

  Chain chain(const Mesh& mesh, Index frame) {
    const std::span<const Index> path = path_of(frame);
    return curved_ ? Chain(curves_.data(), path, mesh.center())
                   : Chain(joints_.data(), path, mesh.center());
  }
  /// Bounds the rounding error of positions of a link in world coordinates.
  double error(const Link& link) {
    return link.joint < 0 ? 0 : sums(link.joint).error(link.mesh->reach());
  }
  /// Bounds the speed of a link's points relative to `carrier`: a joint that carries it, or -1 for
  /// the world.
  double speed(const Link& link, Index carrier) {
    return sums(link.joint).speed(link.mesh->reach(), sums(carrier));
  }
  /// Returns the deepest active joint that carries two frames; -1 for the world. Requires groups.
  Index common(Index joint_a, Index joint_b) { return reduced_.common(joint_a, joint_b); }
  /// Does the same for two active joints, or -1.
  Index shared(Index joint_a, Index joint_b) const { return reduced_.shared(joint_a, joint_b); }
  /// Returns the next active joint above an active one; -1: none.
  Index above(Index joint) const { return reduced_.above(joint); }
  /// Returns the sums of the chain up to the frame of a joint.
  const ChainSums& sums(Index joint) {
    return groups_ && joint >= 0 && !groups_->is_active(joint) ? carried_sums(joint)
                                                               : sums_[joint + 1];
  }
  /// Returns the largest sum of the rotations of a chain's joints, in radians, at their highest
  /// rates throughout.
  double largest_turn() const { return largest_turn_; }
  /// Returns whether joints follow polynomials instead of constant rates.
  bool is_curved() const { return curved_; }

  /// Counters of work during the motion, with groups.
  AssemblyWork work;

 private:
  // Entries with another index of the motion are outdated.
  struct Placed {
    Count motion = 0;
    double time = 0;
    Pose pose;
  };
  struct Known {
    Count motion = 0;
    double time = 0, half = 0;
    ChainState state;
  };
  void start_all(const RobotMotion& motion, bool backwards);
  void start_active(const RobotMotion& motion, bool backwards);
  Index reduced_frame(Index carrier, Index joint);
  const ChainSums& carried_sums(Index joint);
  std::span<const Index> path_of(Index frame) {
    return groups_ ? reduced_.path(frame) : robot_->path(frame);
  }
  /// Returns the parent of a frame, and the joint between them.
  std::pair<Index, Index> step_to(Index frame) const {
    if (groups_) return {reduced_[frame].parent, reduced_[frame].joint};
    const Frame& f = robot_->frames()[frame];
    return {f.parent, f.joint};
  }
  const Pose& local(Index joint, double t);

  const Robot* robot_ = nullptr;
  RigidGroups* groups_ = nullptr;
  ReducedFrames reduced_;
  bool curved_ = false;  // if true, `curves_` has the joints, otherwise `joints_`
  // By joint. With groups: the motion of an active joint relative to the active joint above it, and
  // the pose of any other joint relative to its carrier.
  std::vector<Twist> joints_;
  std::vector<Curve> curves_;
  std::vector<Placed> locals_;       // by joint
  std::vector<Placed> frame_poses_;  // by frame
  std::vector<Known> frames_;
  std::vector<ChainSums> sums_;  // chain sums up to joint i - 1
  // Index of the motion for which the sums of an inactive joint were computed.
  std::vector<Count> sums_of_;
  double largest_turn_ = 0;
  Count motion_ = 0;
  ChainState fixed_;
};

/// Returns the frames of all joints at a configuration, in world coordinates.
std::vector<Pose> joint_frames(const Robot& robot, const double* q);

/// Returns the motion, between two configurations, of a frame that is at `offset` in the frame of a
/// joint (-1: the world).
Motion frame_motion(const Robot& robot, Index joint, const Pose& offset, const double* q_0,
                    const double* q_1);

}  // namespace toccata
