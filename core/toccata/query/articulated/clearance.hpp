// How near a robot comes to its surroundings and to itself during a motion.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/clearance.hpp"

namespace toccata {

struct ClearanceOptions : ClearanceQuestion {
  bool self_contact = true;
  std::shared_ptr<const Untested> untested;  ///< as in `RobotOptions`
};

struct RobotClearance : Clearance {
  Index link_a = -1, link_b = -1;  ///< link_b is -1 for a body of the world
  Index body = -1;
  Index piece = -1;  ///< of a path: in which piece that is, and at which time of that piece
  double time_of_piece = nowhere.x;
};

/// On a way whose configurations have been checked.
RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                         const ClearanceOptions& options);

}  // namespace toccata
