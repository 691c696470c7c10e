// method="interval" for robots (Redon et al. 2004). Three stages: boxes around swept links, swept
// volumes, and the exact search. The first two stages are optional.
#pragma once

#include "toccata/query/robot_first_contact/simultaneous.hpp"
#include "toccata/query/robot_first_contact/swept_cull.hpp"

namespace toccata {

/// The search of method="interval". Reuses its buffers across queries; one per thread.
class IntervalSearch {
 public:
  RobotContact run(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                   const RobotOptions& options);

 private:
  std::span<Candidate> all_pairs(const Robot& robot, const BodySet& world,
                                 const RobotOptions& options);

  LinkPoses poses_;
  BroadPhase broad_;
  std::vector<Candidate> all_;
  SweptCull swept_;
  Simultaneous exact_;
};

}  // namespace toccata
