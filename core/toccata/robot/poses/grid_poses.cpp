// Look-up and computation of frames at grid times.
#include "toccata/robot/poses/grid_poses.hpp"

#include <algorithm>

namespace toccata {

void GridPoses::start(const Robot& robot, const double* q_0, const double* q_1, double window) {
  robot_ = &robot;
  window_ = window;
  ++motion_;
  robot.motions(q_0, q_1, joints_);
  known_.resize(size);
}

const ChainState& GridPoses::at(Index frame, int slot) {
  if (frame < 0) return fixed_;
  Known& known = known_[(frame * (count + 1) + slot) % size];
  if (known.motion == motion_ && known.frame == frame && known.slot == slot) return known.state;
  const Frame& f = robot_->frames()[frame];
  const Twist& joint = joints_[f.joint];
  const double now = time(slot);
  // The parent's state may be in the same entry, so it is read before the entry is written.
  const ChainState state = follow(at(f.parent, slot), joint, joint.pose(now), end(slot) - now);
  known = {motion_, frame, slot, state};
  return known.state;
}

}  // namespace toccata
