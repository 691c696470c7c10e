#include "toccata/query/articulated/path_starts.hpp"

#include "toccata/base/of_thread.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/scaled.hpp"

namespace toccata {

PathStarts PathStarts::scaled(int exponent) const {
  PathStarts result = *this;
  for (Entry& entry : result.entries_) {
    const Interval& d = entry.second;
    entry.second = {toccata::scaled(d.lo, exponent), toccata::scaled(d.hi, exponent)};
  }
  return result;
}

std::shared_ptr<const PathStarts> start_distances(const Robot& robot, const World& world,
                                                  const double* q, const RobotOptions& options) {
  if (options.options.initial != Initial::resting) return nullptr;
  const RobotMotion still{q, q};
  if (const int exponent = scaling_of(robot, world, still)) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    const auto found =
        start_distances(setting.robot(), setting.world(), q, scaled(options, exponent));
    return std::make_shared<const PathStarts>(found->scaled(-exponent));
  }
  LinkPoses& poses = of_thread<LinkPoses>();
  poses.start(robot, still);
  const RobotQuery query = query_of(robot, world, poses, options, options.options);
  PathStarts found;
  BroadPhase& broad = of_thread<BroadPhase>();
  for (const Candidate& candidate :
       broad.run(robot, world, poses, broad_question(query, options))) {
    const RobotPair bodies(query, candidate);
    if (bodies.pair().start().hi < infinity) found.add(candidate, bodies.pair().start());
  }
  found.sort();
  return std::make_shared<const PathStarts>(std::move(found));
}

}  // namespace toccata
