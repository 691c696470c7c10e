#include "toccata/query/articulated/contact_intervals.hpp"

#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/scaled.hpp"

namespace toccata {

std::vector<Interval> contact_intervals(const Robot& robot, const World& world,
                                        const RobotMotion& motion, const RobotOptions& options,
                                        double resolution) {
  if (const int exponent = scaling_of(robot, world, motion)) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    return contact_intervals(setting.robot(), setting.world(), motion, scaled(options, exponent),
                             resolution);
  }
  LinkPoses poses;
  poses.start(robot, motion);
  const Options& own = options.options;
  const RobotQuery query = query_of(robot, world, poses, options, own);
  BroadPhase broad;
  Count budget = own.budget;
  std::vector<Interval> all;
  for (const Candidate& candidate :
       broad.run(robot, world, poses, broad_question(query, options))) {
    const RobotPair bodies(query, candidate);
    const std::vector<Interval> found = contact_intervals(bodies.pair(), resolution, budget);
    all.insert(all.end(), found.begin(), found.end());
  }
  unite(all, resolution);
  return all;
}

}  // namespace toccata
