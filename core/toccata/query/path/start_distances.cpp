#include "toccata/query/path/start_distances.hpp"

#include "toccata/base/of_thread.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {

std::shared_ptr<const PathStarts> start_distances(const Robot& robot, const World& world,
                                                  const double* q, const RobotOptions& options) {
  if (options.options.initial != Initial::resting) return nullptr;
  const RobotMotion still{q, q};
  if (const int exponent = scaling_of(robot, world, still)) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);
    const auto found = start_distances(copy.robot(), copy.world(), q, scaled(options, exponent));
    return std::make_shared<const PathStarts>(found->scaled(-exponent));
  }
  LinkPoses& poses = of_thread<LinkPoses>();
  poses.start(robot, still);
  RobotInWorld setting(robot, world, poses, of_thread<BroadPhase>(), options, options.options);
  PathStarts found;
  for (const Candidate& candidate : setting.find_candidates()) {
    const RobotPair bodies(setting, candidate);
    if (bodies.pair().start().hi < infinity) found.add(candidate, bodies.pair().start());
  }
  found.sort();
  return std::make_shared<const PathStarts>(std::move(found));
}

}  // namespace toccata
