// The three stages in order, with their statistics.
#include "toccata/query/robot_first_contact/interval_search.hpp"

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/setting/start.hpp"

namespace toccata {

RobotContact IntervalSearch::run(const Robot& robot, const BodySet& world,
                                 const RobotMotion& motion, const RobotOptions& options) {
  const Options& o = options.options;
  RobotContact found;
  Stopwatch watch(o.timed);
  poses_.start(robot, motion);
  RobotInWorld setting(robot, world, poses_, broad_, options, o);
  const std::span<Candidate> candidates = options.hierarchy ? setting.find_candidates()
                                                            : all_pairs(robot, world, options);
  if (has_unclear(setting, candidates, o, found)) return found;
  const auto count = static_cast<Count>(candidates.size());
  found.stages.pairs_after_hierarchy = count;
  found.stages.seconds_hierarchy = watch.lap();
  found.stages.pairs_after_culling = options.swept ? swept_.run(setting, candidates) : count;
  found.stages.seconds_culling = watch.lap();
  exact_.run(setting, candidates, options.any, found);
  // Swept volumes do not show that a link starts inside a solid, so all candidates are tested.
  test_inside(setting, candidates, found);
  found.stages.seconds_exact = watch.lap();
  return found;
}

/// Lists the candidates without the first stage.
std::span<Candidate> IntervalSearch::all_pairs(const Robot& robot, const BodySet& world,
                                               const RobotOptions& options) {
  all_.clear();
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
    for (Index body = 0; body < static_cast<Index>(world.size()); ++body)
      if (is_tested(options.ignored.get(), i, body)) all_.push_back({0, i, body});
  if (options.self_contact)
    for (Index p = 0; p < static_cast<Index>(robot.pairs().size()); ++p)
      all_.push_back({0, robot.pairs()[p].a, robot.pairs()[p].b, p});
  return all_;
}

}  // namespace toccata
