#include "toccata/query/articulated/interval_search.hpp"

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {

RobotContact IntervalSearch::run(const Robot& robot, const World& world, const double* q_0,
                                 const double* q_1, const RobotOptions& options) {
  const Options& o = options.options;
  const double distance = o.separation + o.tolerance;
  const Journey journey{robot, world, places_, o, options.separations.get()};
  RobotContact found;
  Stopwatch watch(o.timed);
  places_.start(robot, q_0, q_1);
  const std::span<const Candidate> candidates =
      options.hierarchy ? broad_.run(robot, world, places_, {distance, options.self_contact})
                        : all_pairs(robot, world, options.self_contact);
  open(candidates);
  found.stages.pairs_after_hierarchy = static_cast<Count>(prospects_.size());
  found.stages.seconds_hierarchy = watch.lap();
  if (options.swept) swept_.run(journey, candidates, prospects_);
  found.stages.pairs_after_culling = static_cast<Count>(prospects_.size());
  found.stages.seconds_culling = watch.lap();
  exact_.run(journey, candidates, prospects_, options.any, found);
  // Swept volumes say nothing about a link that starts inside a solid: all candidates are asked.
  look_inside(journey, candidates, found);
  found.stages.seconds_exact = watch.lap();
  return found;
}

/// What is tested without the first stage.
std::span<const Candidate> IntervalSearch::all_pairs(const Robot& robot, const World& world,
                                                     bool self_contact) {
  all_.clear();
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
    for (Index body = 0; body < static_cast<Index>(world.size()); ++body)
      if (robot.links()[i].joint >= 0 || !world.is_fixed(body)) all_.push_back({0, i, body});
  if (self_contact)
    for (Index p = 0; p < static_cast<Index>(robot.pairs().size()); ++p)
      all_.push_back({0, robot.pairs()[p].a, -1, p});
  return all_;
}

void IntervalSearch::open(std::span<const Candidate> candidates) {
  prospects_.clear();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    // The broad phase counts in slabs too, or in several of them.
    const auto first = static_cast<unsigned>(candidates[i].earliest * World::slabs);
    prospects_.push_back({static_cast<Index>(i), all_slabs & all_slabs << first});
  }
}

}  // namespace toccata
