#include "toccata/query/articulated/interval_search.hpp"

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {

RobotContact IntervalSearch::run(const Robot& robot, const World& world, const RobotMotion& motion,
                                 const RobotOptions& options) {
  const Options& o = options.options;
  RobotContact found;
  Stopwatch watch(o.timed);
  poses_.start(robot, motion);
  const RobotQuery query = query_of(robot, world, poses_, options, o);
  const std::span<const Candidate> candidates =
      options.hierarchy ? broad_.run(robot, world, poses_, broad_question(query, options))
                        : all_pairs(robot, world, options);
  if (has_unclear(query, candidates, found)) return found;
  open_candidates(candidates, pending_);
  found.stages.pairs_after_hierarchy = static_cast<Count>(pending_.size());
  found.stages.seconds_hierarchy = watch.lap();
  if (options.swept) swept_.run(query, candidates, pending_);
  found.stages.pairs_after_culling = static_cast<Count>(pending_.size());
  found.stages.seconds_culling = watch.lap();
  exact_.run(query, candidates, pending_, options.any, found);
  // Swept volumes say nothing about a link that starts inside a solid: all candidates are asked.
  look_inside(query, candidates, found);
  found.stages.seconds_exact = watch.lap();
  return found;
}

/// What is tested without the first stage.
std::span<const Candidate> IntervalSearch::all_pairs(const Robot& robot, const World& world,
                                                     const RobotOptions& options) {
  all_.clear();
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
    for (Index body = 0; body < static_cast<Index>(world.size()); ++body)
      if (is_tested(options.untested.get(), i, body)) all_.push_back({0, i, body});
  if (options.self_contact)
    for (Index p = 0; p < static_cast<Index>(robot.pairs().size()); ++p)
      all_.push_back({0, robot.pairs()[p].a, -1, p});
  return all_;
}

}  // namespace toccata
