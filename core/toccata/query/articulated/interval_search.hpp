// method="interval" for robots: three stages, of which two may be left out (Redon et al. 2004).
#pragma once

#include "toccata/query/articulated/simultaneous.hpp"

namespace toccata {

/// Keeps its memory from query to query; one per thread.
class IntervalSearch {
 public:
  RobotContact run(const Robot& robot, const World& world, const RobotMotion& motion,
                   const RobotOptions& options);

 private:
  std::span<const Candidate> all_pairs(const Robot& robot, const World& world,
                                       const RobotOptions& options);

  LinkPoses poses_;
  BroadPhase broad_;
  std::vector<Candidate> all_;
  std::vector<PendingCandidate> pending_;
  SweptCull swept_;
  Simultaneous exact_;
};

}  // namespace toccata
