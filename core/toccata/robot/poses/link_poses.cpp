// Forward kinematics during a motion, with and without rigid groups.
#include "toccata/robot/poses/link_poses.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// Returns a joint's motion from t = 1 back to t = 0. Its end has up to 8 rounding errors of its
/// own, and the path of the following links has as many more. `ChainSums::error` allows for them.
Twist reversed(const Twist& joint) {
  if (joint.is_fixed()) return joint;
  return {joint.pose(1), {0, 0, 0}, -joint.velocity(), -joint.spin()};
}

Twist staying(const Pose& pose) { return {pose, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}; }

}  // namespace

void LinkPoses::start(const Robot& robot, const RobotMotion& motion, bool backwards,
                      RigidGroups* groups) {
  robot_ = &robot, groups_ = groups;
  curved_ = motion.powers != nullptr;
  ++motion_;
  sums_.resize(robot.joints().size() + 1);
  sums_[0] = {};
  largest_turn_ = 0;
  locals_.resize(robot.joints().size());
  if (groups) return start_active(motion, backwards);
  start_all(motion, backwards);
  frame_poses_.resize(robot.frames().size());
  frames_.resize(robot.frames().size());
}

void LinkPoses::start_all(const RobotMotion& motion, bool backwards) {
  curves_.clear();
  if (!curved_) robot_->motions(motion.start, motion.end, joints_);
  if (backwards)
    for (Twist& joint : joints_) joint = reversed(joint);
  for (std::size_t i = 0; i < robot_->joints().size(); ++i) {
    const Joint& joint = robot_->joints()[i];
    const ChainSums& above = sums_[joint.parent + 1];
    if (curved_) curves_.push_back(joint_curve(joint, motion, robot_->coordinates()));
    sums_[i + 1] = curved_ ? ChainSums(above, curves_[i]) : ChainSums(above, joints_[i]);
    largest_turn_ = std::max(largest_turn_, sums_[i + 1].turn());
  }
}

void LinkPoses::start_active(const RobotMotion& motion, bool backwards) {
  const std::size_t count = robot_->joints().size();
  sums_of_.resize(count);
  if (joints_.size() < count) joints_.resize(count, staying({}));
  if (curved_ && curves_.size() < count) curves_.resize(count, Curve(staying({}), {}, {}));
  reduced_.start(*robot_, *groups_, work);
  for (const Index i : groups_->active()) {
    const Joint& joint = robot_->joints()[i];
    const Seat& seat = reduced_.seat(joint.parent);
    const ChainSums above = sums_[seat.carrier + 1].carried(seat.length, seat.joints);
    if (curved_) {
      curves_[i] = joint_curve(joint, motion, robot_->coordinates());
      sums_[i + 1] = ChainSums(above, curves_[i]);
      if (seat.joints) curves_[i] = curves_[i].seen_from(seat.pose);
    } else {
      joints_[i] = robot_->motion(i, motion.start, motion.end);
      if (backwards) joints_[i] = reversed(joints_[i]);
      sums_[i + 1] = ChainSums(above, joints_[i]);
      if (seat.joints) joints_[i] = joints_[i].seen_from(seat.pose);
    }
    largest_turn_ = std::max(largest_turn_, sums_[i + 1].turn());
  }
}

PairFrames LinkPoses::frames(const LinkPair& pair) {
  if (!groups_) return {pair.carrier, pair.frame_a, pair.frame_b};
  const Index a = robot_->links()[pair.a].joint, b = robot_->links()[pair.b].joint;
  const Index carrier = reduced_.common(a, b);
  const auto seen = [&](Index joint) { return joint < 0 ? -1 : reduced_frame(carrier, joint); };
  return {carrier, seen(a), seen(b)};
}

/// Prepares new frames: the joint of an inactive link has a pose that does not change.
Index LinkPoses::reduced_frame(Index carrier, Index joint) {
  const Index before = reduced_.size(), frame = reduced_.frame(carrier, joint);
  for (Index i = before; i < reduced_.size(); ++i) {
    const Index own = reduced_[i].joint;
    if (groups_->is_active(own)) continue;
    const Pose& pose = reduced_.seat(own).pose;
    if (curved_) curves_[own] = Curve(staying(pose), {}, {});
    else joints_[own] = staying(pose);
  }
  if (frame_poses_.size() < static_cast<std::size_t>(reduced_.size())) {
    frame_poses_.resize(2 * reduced_.size());
    frames_.resize(2 * reduced_.size());
  }
  return frame;
}

const ChainSums& LinkPoses::carried_sums(Index joint) {
  if (sums_of_[joint] != motion_) {
    const Seat& seat = reduced_.seat(joint);
    sums_of_[joint] = motion_;
    sums_[joint + 1] = sums_[seat.carrier + 1].carried(seat.length, seat.joints);
  }
  return sums_[joint + 1];
}

const Pose& LinkPoses::local(Index joint, double t) {
  Placed& local = locals_[joint];
  if (local.motion != motion_ || local.time != t)
    local = {motion_, t, curved_ ? curves_[joint].pose(t) : joints_[joint].pose(t)};
  return local.pose;
}

const Pose& LinkPoses::pose(Index frame, double t) {
  if (frame < 0) return fixed_.pose;
  const Known& known = frames_[frame];
  if (known.motion == motion_ && known.time == t) return known.state.pose;
  Placed& placed = frame_poses_[frame];
  if (placed.motion == motion_ && placed.time == t) return placed.pose;
  const auto [above, joint] = step_to(frame);
  // Gives the same bits as `followed`.
  placed = {motion_, t, pose(above, t) * local(joint, t)};
  return placed.pose;
}

const ChainState& LinkPoses::at(Index frame, double t, double half) {
  if (frame < 0) return fixed_;
  Known& known = frames_[frame];
  if (known.motion == motion_ && known.time == t && known.half == half) return known.state;
  const auto [above, joint] = step_to(frame);
  const ChainState& parent = at(above, t, half);
  known.state = curved_ ? follow(parent, curves_[joint].rates(t, half), local(joint, t), half)
                        : follow(parent, joints_[joint], local(joint, t), half);
  known.motion = motion_;
  known.time = t;
  known.half = half;
  ++work.products;
  return known.state;
}

std::vector<Pose> joint_frames(const Robot& robot, const double* q) {
  LinkPoses poses;
  poses.start(robot, q, q);
  std::vector<Pose> frames;
  for (Index j = 0; j < static_cast<Index>(robot.joints().size()); ++j)
    frames.push_back(poses.at(robot.world_frame(j), 0, 0).pose);
  return frames;
}

Motion frame_motion(const Robot& robot, Index joint, const Pose& offset, const double* q_0,
                    const double* q_1) {
  if (joint < 0) return Motion::fixed(offset);
  std::vector<Twist> all, joints;
  robot.motions(q_0, q_1, all);
  for (const Index i : robot.path(robot.world_frame(joint))) joints.push_back(all[i]);
  // Adds a joint that does not move.
  joints.push_back({offset, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  return Motion(Chain::make(std::move(joints), {0, 0, 0}));
}

}  // namespace toccata
