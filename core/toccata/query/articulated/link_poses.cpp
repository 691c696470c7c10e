#include "toccata/query/articulated/link_poses.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// A joint's motion from its end at t = 1 back to its start. Its end has up to 8 roundings of its
/// own, the path of what hangs on it so many more: less than what `ChainSums::error` leaves room
/// for.
Twist reversed(const Twist& joint) {
  if (joint.is_fixed()) return joint;
  return {joint.pose(1), {0, 0, 0}, -joint.velocity(), -joint.spin()};
}

}  // namespace

void LinkPoses::start(const Robot& robot, const RobotMotion& motion, bool backwards) {
  robot_ = &robot;
  curved_ = motion.powers != nullptr;
  ++motion_;
  curves_.clear();
  sums_.resize(robot.joints().size() + 1);
  largest_turn_ = 0;
  if (!curved_) robot.motions(motion.start, motion.end, joints_);
  if (backwards)
    for (Twist& joint : joints_) joint = reversed(joint);
  for (std::size_t i = 0; i < robot.joints().size(); ++i) {
    const Joint& joint = robot.joints()[i];
    const ChainSums& above = sums_[joint.parent + 1];
    if (curved_) curves_.push_back(joint_curve(joint, motion, robot.coordinates()));
    sums_[i + 1] = curved_ ? ChainSums(above, curves_[i]) : ChainSums(above, joints_[i]);
    largest_turn_ = std::max(largest_turn_, sums_[i + 1].turn());
  }
  locals_.resize(robot.joints().size());
  places_.resize(robot.frames().size());
  frames_.resize(robot.frames().size());
}

const Pose& LinkPoses::local(Index joint, double t) {
  Placed& local = locals_[joint];
  if (local.motion != motion_ || local.time != t)
    local = {motion_, t, curved_ ? curves_[joint].pose(t) : joints_[joint].pose(t)};
  return local.pose;
}

const Pose& LinkPoses::pose(Index frame, double t) {
  if (frame < 0) return root_.pose;
  const Known& known = frames_[frame];
  if (known.motion == motion_ && known.time == t) return known.state.pose;
  Placed& placed = places_[frame];
  if (placed.motion == motion_ && placed.time == t) return placed.pose;
  const Frame& f = robot_->frames()[frame];
  const Pose& parent = pose(f.parent, t);
  const Pose& own = local(f.joint, t);
  // As in `follow`, with the same bits.
  placed = {motion_, t, {parent.rotation * own.rotation, parent * own.translation}};
  return placed.pose;
}

const ChainState& LinkPoses::at(Index frame, double t, double reach) {
  if (frame < 0) return root_;
  Known& known = frames_[frame];
  if (known.motion == motion_ && known.time == t && known.reach == reach) return known.state;
  const Frame& f = robot_->frames()[frame];
  const ChainState& parent = at(f.parent, t, reach);
  known.state = curved_ ? follow(parent, curves_[f.joint].rates(t, reach), local(f.joint, t), reach)
                        : follow(parent, joints_[f.joint], local(f.joint, t), reach);
  known.motion = motion_;
  known.time = t;
  known.reach = reach;
  return known.state;
}

}  // namespace toccata
