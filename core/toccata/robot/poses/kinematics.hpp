// Where the joints of a robot are, and how what hangs on them moves.
#pragma once

#include <vector>

#include "toccata/motion/motion.hpp"
#include "toccata/robot/robot.hpp"

namespace toccata {

/// The frames of all joints at a configuration, as the world sees them.
std::vector<Pose> joint_frames(const Robot& robot, const double* q);

/// The motion between two configurations of a frame at `place` in the frame of a joint (-1: the
/// world's).
Motion frame_motion(const Robot& robot, Index joint, const Pose& place, const double* q_0,
                    const double* q_1);

}  // namespace toccata
