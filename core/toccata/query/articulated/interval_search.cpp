#include "toccata/query/articulated/interval_search.hpp"

#include <algorithm>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/guess.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

/// Radians of all joints of a chain together, from which on a motion that is not free is likely to
/// end in a contact: then one look at its end is tried before all else.
constexpr double large_turn = 0.5;

}  // namespace

RobotContact IntervalSearch::run(const Robot& robot, const World& world, const Way& way,
                                 const RobotOptions& options) {
  const Options& o = options.options;
  const Journey journey{robot, world, places_, o, options.separations.get()};
  RobotContact found;
  Stopwatch watch(o.timed);
  places_.start(robot, way);
  // Guesses need the boxes of the first stage.
  const bool hierarchy = options.hierarchy || options.any;
  std::span<const Candidate> candidates =
      hierarchy ? broad_.start(robot, world, places_,
                               {o.separation + o.tolerance, options.self_contact})
                : all_pairs(robot, world, options.self_contact);
  const bool guess_at_once = options.any && places_.largest_turn() > large_turn;
  if (guess_at_once && guess_contact(journey, candidates, broad_, guess_time(0), found))
    return found;
  if (hierarchy) candidates = broad_.refine(robot, world, places_);
  open_prospects(candidates, prospects_);
  found.stages.pairs_after_hierarchy = static_cast<Count>(prospects_.size());
  found.stages.seconds_hierarchy = watch.lap();
  exact_.start(journey, candidates, prospects_, found);
  if (options.swept) swept_.run(journey, candidates, prospects_);
  found.stages.pairs_after_culling = std::count_if(
      prospects_.begin(), prospects_.end(), [](const Prospect& p) { return p.slabs != 0; });
  found.stages.seconds_culling = watch.lap();
  if (options.any) exact_.run_any(broad_, guess_at_once ? 1 : 0);
  else exact_.run();
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

}  // namespace toccata
