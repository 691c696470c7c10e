// The clearance of a robot on a motion or a path: from its surroundings and between its links.
#pragma once

#include <span>

#include "toccata/query/clearance/search.hpp"
#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

/// The options of a clearance query about a robot.
struct ClearanceOptions : ClearanceQuery {
  bool self_contact = true;
  std::shared_ptr<const IgnoredPairs> ignored;  ///< as in `RobotOptions`
};

/// The clearance of a robot, with the closest bodies.
struct RobotClearance : Clearance {
  Index link_a = -1, link_b = -1;    ///< links; link_b is -1 for a body of the world
  Index body = -1;                   ///< body of the world, or -1
  Index piece = -1;                  ///< piece of the path, or -1
  double time_of_piece = nowhere.x;  ///< time within the piece
};

/// A piece of a path: a motion of the robot, with the times of the world at its start and end. The
/// configurations have been checked.
struct PathPiece {
  RobotMotion motion;
  Interval clock{0, 1};
};

/// Returns the clearance on successive pieces. `time` of the answer is `time_of_piece`. The budget
/// is multiplied by the number of pieces, which share it.
RobotClearance clearance(const Robot& robot, const BodySet& world,
                         std::span<const PathPiece> pieces, const ClearanceOptions& options);

/// Returns the clearance on one motion.
RobotClearance clearance(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                         const ClearanceOptions& options);

}  // namespace toccata
