#include "toccata/query/articulated/search.hpp"

#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/guess.hpp"
#include "toccata/query/articulated/outcome.hpp"

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

/// Volumes are looked at again later, rather than split, if what will be left of their gap by then
/// exceeds this share of the one that can be split. By that one and not by the pair, since a long
/// thin triangle of a wire is large however finely the link beside it is split. Measured on arms
/// among pipes and wires.
constexpr float settled = 0.04f;

/// Radians of all joints of a chain together, from which on a motion that is not free is likely to
/// end in a contact: then one look at its end is tried before all else.
constexpr double large_turn = 0.5;

/// A power of two, so that its multiples are exact.
double grid_for(double turn) {
  double grid = 1;
  while (grid > finest_grid && grid * turn > little_turn) grid /= 2;
  return grid;
}

/// Looking from before `now`, nothing was gained beyond what was lost by it.
bool is_too_early(double time, double now, double free_until) {
  return time < now && free_until < now + (now - time);
}

}  // namespace

RobotContact RobotSearch::run(const Robot& robot, const World& world, const Way& way,
                              const RobotOptions& options) {
  options_ = options.options;
  Stopwatch watch(options_.timed);
  journey_.emplace(Journey{robot, world, places_, options_, options.separations.get()});
  any_ = options.any;
  found_ = {};
  queue_.clear();
  groups_.clear();
  awake_ = 0;
  places_.start(robot, way);
  cutoff_ = options_.cutoff;
  last_ = std::min(cutoff_, 1.0);
  horizon_ = std::min(places_.is_curved() ? widest_bend : 1.0,
                      widest_turn / std::max(places_.largest_turn(), 1e-9));
  grid_ = grid_for(places_.largest_turn());
  candidates_ = &broad_.start(
      robot, world, places_,
      {options_.separation + options_.tolerance, options.self_contact, options.untested.get()});
  guesses_ = 0, next_guess_ = 0;
  if (any_ && places_.largest_turn() > large_turn &&
      guess_contact(*journey_, *candidates_, broad_, guess_time(guesses_++), found_))
    return found_;
  candidates_ = &broad_.refine(robot, world, places_);
  found_.stages.seconds_hierarchy = watch.lap();
  found_.stages.pairs_after_hierarchy = static_cast<Count>(candidates_->size());
  open_prospects(*candidates_, prospects_);
  swept_.run(*journey_, *candidates_, prospects_);
  for (std::size_t i = 0; i < prospects_.size(); ++i)
    queue_.push(std::countr_zero(prospects_[i].slabs) * (1.0 / World::slabs),
                ~static_cast<Index>(i));
  found_.stages.seconds_culling = watch.lap();
  budget_ = options_.budget;
  search();
  look_inside(*journey_, *candidates_, found_);
  // Pairs that never came up are culled by the order of the queue.
  found_.stages.pairs_after_culling = found_.pairs_tested;
  found_.stages.seconds_exact = watch.lap();
  return found_;
}

RobotContact RobotSearch::resume(double separation) {
  options_.separation = separation;
  for (Index i = 0; i < awake_; ++i) live_[i]->set_separation(separation);
  found_.contact = Contact{.stats = found_.contact.stats};
  found_.link_a = found_.link_b = found_.body = -1;
  search();
  return found_;
}

void RobotSearch::search() {
  while (!queue_.empty() && queue_.top().time < cutoff_ && found_.contact.status == Status::free) {
    if (!spend(budget_)) found_.contact.give_up(queue_.top().time);
    else visit();
    if (any_ && found_.contact.stats.ca_iterations >= next_guess_) guess();
  }
}

/// Any contact will do: one later time is tried, in all that is not proven free at that time.
/// Guesses take less than half of the work, whatever comes out.
void RobotSearch::guess() {
  if (queue_.empty() || found_.contact.status != Status::free) return;
  const double known = queue_.top().time, time = guess_time(guesses_++);
  if (time < known || time >= cutoff_) return;
  for (const auto& [earliest, index] : queue_.entries()) {
    if (earliest > time) continue;
    if (index < 0 ? guess(prospects_[~index], time) : guess(groups_[index], time)) {
      found_.contact.safe_until = known;
      return;
    }
  }
  next_guess_ = 2 * found_.contact.stats.ca_iterations;
}

bool RobotSearch::guess(const Prospect& prospect, double time) {
  if (!may_touch(prospect, time)) return false;
  return guess_contact(*journey_, {&(*candidates_)[prospect.candidate], 1}, broad_, time, found_);
}

bool RobotSearch::guess(const Group& group, double time) {
  LivePair& live = *live_[group.live];
  unsigned lanes = 0;
  for_lanes(group.siblings.time.open(), [&](int lane) {
    if (group.siblings.time[lane] <= time) lanes |= 1u << lane;
  });
  const std::optional<Touch> touch =
      guess_touch(live, group.siblings.family, lanes, time, places_, found_.contact.stats);
  if (!touch) return false;
  record(found_.contact, time, touch->a, touch->b, touch->triangles);
  name_contact(*journey_, live, found_);
  return true;
}

Span RobotSearch::span(double time) const { return {time, std::min(last_, time + horizon_)}; }

void RobotSearch::visit() {
  const auto [now, index] = queue_.top();
  if (index < 0) {
    ++found_.pairs_tested;
    const Index live = wake((*candidates_)[prospects_[~index].candidate]);
    found_.contact.tolerance = std::max(found_.contact.tolerance, live_[live]->pair().tolerance());
    return replace_top(split(live, root_pair(), now));
  }
  Group& group = groups_[index];
  Siblings& siblings = group.siblings;
  const int lane = siblings.time.earliest();
  const NodePair nodes = siblings.family.child(lane);
  if (siblings.unsettled >> lane & 1) {
    const double before = known_time(*live_[group.live], now, snapped(now));
    step(group, before);
    if (is_too_early(before, now, siblings.time[lane])) step(group, now);
    requeue_top();
  } else if (are_leaves(live_[group.live]->pair(), nodes)) {
    if (group.closer) return visit_leaves(group, lane, nodes, now);
    step_triangles(group, known_time(*live_[group.live], now, now));
    requeue_top();
  } else {
    siblings.time.set(lane, LaneTimes::never);
    const LaneTimes rest = siblings.time;
    replace_top(split(group.live, nodes, now));
    if (rest.open()) queue_.push(rest.least(), index);
  }
}

Index RobotSearch::wake(const Candidate& candidate) {
  if (live_.size() == static_cast<std::size_t>(awake_)) live_.emplace_back();
  live_[awake_].emplace(*journey_, candidate);
  return awake_++;
}

/// The parts of what is on top come in its place, where they often stay.
void RobotSearch::replace_top(const Group& group) {
  if (!group.siblings.time.open()) return queue_.pop();
  queue_.replace_top(group.siblings.time.least(), static_cast<Index>(groups_.size()));
  groups_.push_back(group);
}

void RobotSearch::requeue_top() {
  const Index index = queue_.top().index;
  const LaneTimes& times = groups_[index].siblings.time;
  if (times.open()) queue_.replace_top(times.least(), index);
  else queue_.pop();
}

RobotSearch::Group RobotSearch::split(Index live, const NodePair& nodes, double now) {
  const Expansion<VolumeKind::box> expansion(live_[live]->pair(), nodes);
  Group group{{expansion.family(), {now, expansion.used()}, 0}, live};
  step(group, known_time(*live_[live], now, snapped(now)));
  return group;
}

/// One step of advancement of all open pairs from `time`, at which all of them are still free.
void RobotSearch::step(Group& group, double time) {
  LivePair& live = *live_[group.live];
  Siblings& siblings = group.siblings;
  const Expansion<VolumeKind::box> expansion(live.pair(), siblings.family);
  const Span window = span(time);
  const Approach bounds = expansion.bounds(live.relative(window, siblings.family.of_a, places_));
  const unsigned open = siblings.time.open();
  advance(group, bounds, window, open);
  const float separation = static_cast<float>(live.pair().separation());
  siblings.unsettled = siblings.time.open() &
                       bits(bounds.left - separation > settled * expansion.size());
  found_.contact.stats.bv_tests += std::popcount(open);
}

/// The same for those pairs that are triangles, by the triangles and not by the boxes around them.
void RobotSearch::step_triangles(Group& group, double time) {
  LivePair& live = *live_[group.live];
  Siblings& siblings = group.siblings;
  const Expansion<VolumeKind::box> expansion(live.pair(), siblings.family);
  const unsigned triangles = siblings.time.open() & expansion.triangles();
  group.closer = true;
  if (!triangles) return;  // pieces of surfaces
  const Span window = span(time);
  const RelativeState& seen = live.relative(window, siblings.family.of_a, places_);
  advance(group, expansion.triangle_bounds(seen, triangles), window, triangles);
  found_.contact.stats.elementary_tests += std::popcount(triangles);
}

/// What bounds say of the pairs of `lanes`.
void RobotSearch::advance(Group& group, const Approach& bounds, Span window, unsigned lanes) {
  LaneTimes& times = group.siblings.time;
  const unsigned open = times.open();
  // Bounds say nothing beyond the window, unless nothing is asked beyond it; what is apart and at
  // rest stays apart.
  const double farthest = window.end < last_ ? window.end : LaneTimes::never;
  const bool at_rest = live_[group.live]->is_at_rest();
  for (int k = 0; k < 2; ++k) {
    const Quad step = widened(bounds.step, k);
    Quad reached = min(step + window.time, quad(farthest));
    if (at_rest) reached = select(step > 0, quad(LaneTimes::never), reached);
    const Quad free_until =
        max(times.half[k], select(LaneTimes::mask(lanes, k), reached, times.half[k]));
    times.half[k] = select(free_until < cutoff_, free_until, quad(LaneTimes::never));
  }
  ++found_.contact.stats.ca_iterations;
  found_.contact.stats.front_nodes += std::popcount(open & ~times.open());
}

void RobotSearch::visit_leaves(Group& group, int lane, const NodePair& nodes, double now) {
  LivePair& live = *live_[group.live];
  const MovingPair& pair = live.pair();
  Contact& contact = found_.contact;
  const Index a = element(pair.mesh_a().bvh().child(nodes.a));
  const Index b = element(pair.mesh_b().bvh().child(nodes.b));
  const double before = known_time(live, now, now);
  LeafStep step = step_leaves(live, a, b, before);
  if (before < now && (step.leaf.touches || is_too_early(before, now, step.free_until)))
    step = step_leaves(live, a, b, now);
  if (step.leaf.touches) {
    record(contact, now, a, b, step.leaf.triangles);
    return name_contact(*journey_, live, found_);
  }
  if (!(step.leaf.step > 0)) return contact.give_up(now);
  const bool done = step.free_until >= cutoff_;
  group.siblings.time.set(lane, done ? LaneTimes::never : step.free_until);
  contact.stats.front_nodes += done;
  requeue_top();
}

RobotSearch::LeafStep RobotSearch::step_leaves(LivePair& live, Index a, Index b, double time) {
  ++found_.contact.stats.elementary_tests;
  const Span window = span(time);
  const LeafApproach leaf = approach_leaves(live.pair(), live.at(window, places_), a, b);
  if (live.is_at_rest()) return {leaf, cutoff_};
  const double free_until = time + leaf.step;
  return {leaf, free_until > window.end && window.end < last_ ? window.end : free_until};
}

/// A time up to `now` at which the places of both are known, and not long ago; or `otherwise`.
double RobotSearch::known_time(const LivePair& live, double now, double otherwise) const {
  return snapped(now) <= live.time() && live.time() <= now ? live.time() : otherwise;
}

}  // namespace toccata
