// How near a robot comes to its surroundings and to itself during a motion.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"

namespace toccata {

struct ClearanceOptions {
  bool self_contact = true;
  double tolerance = 0;     ///< of the answer; 0: a ten-thousandth of the largest link
  double limit = infinity;  ///< larger distances do not matter
  Count budget = 1'000'000;
  std::shared_ptr<const Untested> untested;  ///< as in `RobotOptions`
};

/// The least distance of all pairs at all times lies in lower..upper, which is not wider than the
/// tolerance unless the budget ran out or nothing comes nearer than the limit; then `lower` is at
/// least the limit.
struct RobotClearance {
  double lower = 0, upper = infinity;
  double tolerance = 0;
  double time = nowhere.x;         ///< at which the distance is not more than `upper`
  Index link_a = -1, link_b = -1;  ///< link_b is -1 for a body of the world
  Index body = -1;
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< world, at `time`
  Count pairs_tested = 0;
  Stats stats;
  Index piece = -1;  ///< of a path: in which piece that is, and at which time of that piece
  double time_of_piece = nowhere.x;
};

/// On a way whose configurations have been checked.
RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                         const ClearanceOptions& options);

}  // namespace toccata
