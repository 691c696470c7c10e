// How near a robot comes to its surroundings and to itself during a motion.
#pragma once

#include <span>

#include "toccata/query/clearance/search.hpp"
#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

struct ClearanceOptions : ClearanceQuery {
  bool self_contact = true;
  std::shared_ptr<const IgnoredPairs> ignored;  ///< as in `RobotOptions`
};

struct RobotClearance : Clearance {
  Index link_a = -1, link_b = -1;  ///< link_b is -1 for a body of the world
  Index body = -1;
  Index piece = -1;  ///< of a path: in which piece that is, and at which time of that piece
  double time_of_piece = nowhere.x;
};

/// A piece of a path: a motion of the robot, and the times of the world's bodies at its start and
/// at its end. Configurations have been checked.
struct PathPiece {
  RobotMotion motion;
  Interval clock{0, 1};
};

/// The least distance on one piece after the other. `piece` and `time_of_piece` say where it is;
/// `time` is the same as the latter. The budget is for each piece, and pieces share it.
RobotClearance clearance(const Robot& robot, const World& world, std::span<const PathPiece> pieces,
                         const ClearanceOptions& options);

/// The same on a single motion, which is no piece of a path.
RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                         const ClearanceOptions& options);

}  // namespace toccata
