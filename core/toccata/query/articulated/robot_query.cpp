#include "toccata/query/articulated/robot_query.hpp"

namespace toccata {

double most_tolerance(const RobotQuery& query) {
  return default_tolerance(contact_share, query.robot.radii().of_pairs_with(query.world.radii()),
                           query.error_of_pairs());
}

RobotQuery query_of(const Robot& robot, const World& world, LinkPoses& poses,
                    const RobotOptions& given, const Options& own) {
  RobotQuery query{robot, world, poses, own, given.separations.get(), given.starts.get()};
  // Pairs beyond the separation need not be reported, so that a tolerance that pairs choose is no
  // matter. But pairs that start near each other are asked about other separations.
  if (own.initial != Initial::report && own.tolerance == 0) query.tolerance = most_tolerance(query);
  return query;
}

}  // namespace toccata
