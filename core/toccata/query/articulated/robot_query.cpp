#include "toccata/query/articulated/robot_query.hpp"

namespace toccata {

double most_tolerance(const Robot& robot, const World& world, LinkPoses& poses) {
  double error = 0;
  for (const Link& link : robot.links())
    error = std::max(error, poses.error(link) + 0x1p-50 * link.mesh->reach());
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    const double reach = world.body(i).mesh.reach();
    error = std::max(error, world.body(i).motion.error(reach) + 0x1p-50 * reach);
  }
  return std::max(1e-6 * std::max(robot.radius(), world.radius()), 100 * error);
}

RobotQuery query_of(const Robot& robot, const World& world, LinkPoses& poses,
                    const RobotOptions& given, const Options& own) {
  RobotQuery query{robot, world, poses, own, given.separations.get(), given.starts.get()};
  // Pairs beyond the separation need not be reported, so that a tolerance that pairs choose is no
  // matter. But pairs that start near each other are asked about other separations.
  if (own.initial != Initial::report && own.tolerance == 0)
    query.tolerance = most_tolerance(robot, world, poses);
  return query;
}

}  // namespace toccata
