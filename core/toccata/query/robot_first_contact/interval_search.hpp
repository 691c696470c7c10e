// method="interval" for robots: three stages, of which two may be left out (Redon et al. 2004).
#pragma once

#include "toccata/query/robot_first_contact/simultaneous.hpp"
#include "toccata/query/robot_first_contact/swept_cull.hpp"

namespace toccata {

/// Reuses its buffers across queries; one per thread.
class IntervalSearch {
 public:
  RobotContact run(const Robot& robot, const World& world, const RobotMotion& motion,
                   const RobotOptions& options);

 private:
  std::span<Candidate> all_pairs(const Robot& robot, const World& world,
                                 const RobotOptions& options);

  LinkPoses poses_;
  BroadPhase broad_;
  std::vector<Candidate> all_;
  SweptCull swept_;
  Simultaneous exact_;
};

}  // namespace toccata
