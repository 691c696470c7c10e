#include "toccata/query/articulated/search.hpp"

#include <bit>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/outcome.hpp"
#include "toccata/query/articulated/probe.hpp"

namespace toccata {
namespace {

/// Volumes are bounded at multiples of a time in which no chain turns much more than this, so that
/// many pairs share the places of the links: all joints of a chain together, in radians.
constexpr double little_turn = 0.15;

/// There are at most so many such times.
constexpr double finest_grid = 1.0 / 128;

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

/// The same for polynomials, in time: their derivatives vary.
constexpr double widest_bend = 0.125;

/// Radians of all joints of a chain together, from which on a motion that is not free is likely to
/// end in a contact: then one look at its end is tried before all else.
constexpr double large_turn = 0.5;

/// Triangles of an earlier contact that take more steps than this are not followed further.
constexpr int most_recalled_steps = 64;

/// A power of two, so that its multiples are exact.
double grid_for(double turn) {
  double grid = 1;
  while (grid > finest_grid && grid * turn > little_turn) grid /= 2;
  return grid;
}

}  // namespace

void RobotPairs::start(const RobotQuery& query) {
  query_ = &query;
  last_ = std::min(query.options.cutoff, 1.0);
  const double turn = query.poses.largest_turn();
  horizon_ =
      std::min(query.poses.is_curved() ? widest_bend : 1.0, widest_turn / std::max(turn, 1e-9));
  grid_ = grid_for(turn);
  size_ = 0;
}

Index RobotPairs::open(Index pending) {
  if (live_.size() == static_cast<std::size_t>(size_)) live_.emplace_back();
  live_[size_].emplace(*query_, (*candidates_)[(*pending_)[pending].candidate]);
  return size_++;
}

RobotContact RobotSearch::run(const Robot& robot, const World& world, const RobotMotion& motion,
                              const RobotOptions& options, const ContactMemory* memory) {
  options_ = options.options;
  Stopwatch watch(options_.timed);
  query_.emplace(RobotQuery{robot, world, poses_, options_, options.separations.get()});
  any_ = options.any;
  found_ = {};
  recalled_.reset();
  poses_.start(robot, motion);
  pairs_.start(*query_);
  walk_.start(pairs_, options_.cutoff, options_.budget);
  candidates_ =
      &broad_.start(robot, world, poses_,
                    {options_.separation + options_.tolerance, options.self_contact,
                     options.untested.get(), options.separations.get(), options_.tolerance});
  probes_ = 0, next_probe_ = 0;
  if (any_ && poses_.largest_turn() > large_turn &&
      probe_contact(*query_, *candidates_, broad_, probe_time(probes_++), found_))
    return found_;
  candidates_ = &broad_.refine(robot, world, poses_);
  found_.stages.seconds_hierarchy = watch.lap();
  found_.stages.pairs_after_hierarchy = static_cast<Count>(candidates_->size());
  open_candidates(*candidates_, pending_);
  swept_.run(*query_, *candidates_, pending_);
  if (memory) recall(*memory);
  for (std::size_t i = 0; i < pending_.size(); ++i)
    walk_.add(static_cast<Index>(i),
              std::countr_zero(pending_[i].windows) * (1.0 / World::windows));
  found_.stages.seconds_culling = watch.lap();
  pairs_.set_candidates(*candidates_, pending_);
  search();
  if (recalled_) conclude_recalled();
  look_inside(*query_, *candidates_, found_);
  // Pairs that never came up are culled by the order of the queue.
  found_.stages.pairs_after_culling = found_.pairs_tested;
  found_.stages.seconds_exact = watch.lap();
  return found_;
}

/// Nothing matters from the time on at which triangles of earlier contacts touch.
void RobotSearch::recall(const ContactMemory& memory) {
  for (const PendingCandidate& pending : pending_) {
    const Candidate& candidate = (*candidates_)[pending.candidate];
    const std::optional<ElementPair> known = recalled(memory, *query_, candidate);
    if (!known) continue;
    RobotPair bodies(*query_, candidate);
    if (!bodies.is_at_rest())
      recall(bodies, *known, std::countr_zero(pending.windows) * (1.0 / World::windows));
  }
  if (recalled_) options_.cutoff = recalled_->time;
  pairs_.start(*query_);
  walk_.start(pairs_, options_.cutoff, options_.budget);
}

/// Advances two triangles, which are apart before `time`, until they touch or do not matter.
void RobotSearch::recall(RobotPair& bodies, const ElementPair& elements, double time) {
  const double cutoff = recalled_ ? recalled_->time : options_.cutoff;
  for (int k = 0; k < most_recalled_steps && time < cutoff && spend(options_.budget); ++k) {
    const Span window = pairs_.window(time);
    ++found_.contact.stats.elementary_tests;
    const LeafApproach leaf =
        approach_leaves(bodies.pair(), bodies.at(window, poses_), elements.a, elements.b);
    if (leaf.touches) {
      recalled_ = Recalled{time, bodies.candidate(), elements, leaf.triangles};
      return;
    }
    if (!(leaf.step > 0)) return;
    const bool ends = window.end < std::min(cutoff, 1.0);
    time = ends ? std::min(time + leaf.step, window.end) : time + leaf.step;
  }
}

/// All is free before the triangles that were recalled touch: theirs is the first contact.
void RobotSearch::conclude_recalled() {
  Contact& contact = found_.contact;
  if (contact.status != Status::free) return;
  const auto& [time, candidate, elements, triangles] = *recalled_;
  record(contact, time, elements.a, elements.b, triangles);
  name_contact(*query_, RobotPair(*query_, candidate), found_);
}

RobotContact RobotSearch::resume(double separation) {
  options_.separation = separation;
  for (Index i = 0; i < pairs_.size(); ++i) pairs_[i].set_separation(separation);
  found_.contact = Contact{.stats = found_.contact.stats};
  found_.link_a = found_.link_b = found_.body = -1;
  search();
  return found_;
}

void RobotSearch::search() {
  Contact& contact = found_.contact;
  while (!walk_.is_over() && contact.status == Status::free) {
    walk_.step(contact);
    if (any_ && contact.stats.ca_iterations >= next_probe_) probe();
  }
  found_.pairs_tested = pairs_.size();
  if (contact.status == Status::contact && found_.link_a < 0)
    name_contact(*query_, pairs_[walk_.last_pair()], found_);
  for (Index i = 0; i < pairs_.size() && found_.link_a < 0; ++i)
    contact.tolerance = std::max(contact.tolerance, pairs_.pair(i).tolerance());
}

/// Any contact will do: one later time is tried, in all that is not proven free at that time.
/// Probes take less than half of the work, whatever comes out.
void RobotSearch::probe() {
  if (walk_.is_over() || found_.contact.status != Status::free) return;
  const double known = walk_.time(), time = probe_time(probes_++);
  if (time < known || time >= options_.cutoff) return;
  for (const auto& [earliest, index] : walk_.branches().waiting()) {
    if (earliest > time) continue;
    if (index < 0 ? probe(pending_[~index], time) : probe(walk_.branches()[index], time)) {
      found_.contact.safe_until = known;
      return;
    }
  }
  next_probe_ = 2 * found_.contact.stats.ca_iterations;
}

bool RobotSearch::probe(const PendingCandidate& pending, double time) {
  if (!may_touch(pending, time)) return false;
  return probe_contact(*query_, {&(*candidates_)[pending.candidate], 1}, broad_, time, found_);
}

bool RobotSearch::probe(const Branch& branch, double time) {
  RobotPair& bodies = pairs_[branch.pair];
  unsigned lanes = 0;
  for_lanes(branch.siblings.time.open(), [&](int lane) {
    if (branch.siblings.time[lane] <= time) lanes |= 1u << lane;
  });
  const std::optional<Touch> touch =
      probe_touch(bodies, branch.siblings.family, lanes, time, poses_, found_.contact.stats);
  if (!touch) return false;
  record(found_.contact, time, touch->a, touch->b, touch->triangles);
  name_contact(*query_, bodies, found_);
  return true;
}

}  // namespace toccata
