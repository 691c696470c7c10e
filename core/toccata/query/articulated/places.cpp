#include "toccata/query/articulated/places.hpp"

#include <algorithm>

namespace toccata {

void Places::start(const Robot& robot, const double* q_0, const double* q_1) {
  robot_ = &robot;
  ++motion_;
  joints_.clear();
  turns_.clear();
  errors_.clear();
  largest_turn_ = 0;
  for (const Joint& joint : robot.joints()) {
    const Twist& twist = joints_.emplace_back(joint_motion(joint, q_0, q_1));
    const bool first = joint.parent < 0;
    turns_.push_back((first ? 0 : turns_[joint.parent]) + twist.spin_speed());
    errors_.push_back(first ? ChainError{} : errors_[joint.parent]);
    errors_.back().add(twist);
    largest_turn_ = std::max(largest_turn_, turns_.back());
  }
  locals_.resize(joints_.size());
  frames_.resize(robot.frames().size());
}

const Pose& Places::local(Index joint, double t) {
  Local& local = locals_[joint];
  if (local.motion != motion_ || local.time != t) local = {motion_, t, joints_[joint].pose(t)};
  return local.pose;
}

const ChainState& Places::at(Index frame, double t, double reach) {
  if (frame < 0) return root_;
  Known& known = frames_[frame];
  if (known.motion == motion_ && known.time == t && known.reach == reach) return known.state;
  const Frame& f = robot_->frames()[frame];
  known.state = follow(at(f.parent, t, reach), joints_[f.joint], local(f.joint, t), reach);
  known.motion = motion_;
  known.time = t;
  known.reach = reach;
  return known.state;
}

}  // namespace toccata
