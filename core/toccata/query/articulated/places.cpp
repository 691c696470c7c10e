#include "toccata/query/articulated/places.hpp"

#include <algorithm>

namespace toccata {

void Places::start(const Robot& robot, const double* q_0, const double* q_1) {
  robot_ = &robot;
  joints_.clear();
  turn_.clear();
  largest_turn_ = 0;
  for (const Joint& joint : robot.joints()) {
    joints_.push_back(joint_motion(joint, q_0, q_1));
    turn_.push_back(turn(joint.parent) + joints_.back().spin_speed());
    largest_turn_ = std::max(largest_turn_, turn_.back());
  }
  constexpr double never = -1;
  locals_.resize(joints_.size());
  for (Local& local : locals_) local.time = never;
  frames_.resize(robot.frames().size());
  for (Known& known : frames_) known.time = never;
}

const Pose& Places::local(Index joint, double t) {
  Local& local = locals_[joint];
  if (local.time != t) local = {t, joints_[joint].pose(t)};
  return local.pose;
}

const ChainState& Places::at(Index frame, double t, double reach) {
  if (frame < 0) return root_;
  Known& known = frames_[frame];
  if (known.time == t && known.reach == reach) return known.state;
  const Frame& f = robot_->frames()[frame];
  known.state = follow(at(f.parent, t, reach), joints_[f.joint], local(f.joint, t), reach);
  known.time = t;
  known.reach = reach;
  return known.state;
}

}  // namespace toccata
