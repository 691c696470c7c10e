#include "toccata/robot/poses/kinematics.hpp"

#include "toccata/motion/chain.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

std::vector<Pose> joint_frames(const Robot& robot, const double* q) {
  LinkPoses poses;
  poses.start(robot, q, q);
  std::vector<Pose> frames;
  for (Index j = 0; j < static_cast<Index>(robot.joints().size()); ++j)
    frames.push_back(poses.at(robot.world_frame(j), 0, 0).pose);
  return frames;
}

Motion frame_motion(const Robot& robot, Index joint, const Pose& place, const double* q_0,
                    const double* q_1) {
  if (joint < 0) return Motion::fixed(place);
  std::vector<Twist> all, joints;
  robot.motions(q_0, q_1, all);
  for (const Index i : robot.path(robot.world_frame(joint))) joints.push_back(all[i]);
  joints.push_back({place, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});  // a joint that stays
  return Motion(Chain::make(std::move(joints), {0, 0, 0}));
}

}  // namespace toccata
