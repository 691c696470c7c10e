#include "toccata/query/articulated/search.hpp"

#include <bit>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/guess.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

/// Volumes are bounded at multiples of this, so that many pairs share the places of the links.
constexpr double grid = 1.0 / 128;

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

/// The same for polynomials, in time: their derivatives vary.
constexpr double widest_bend = 0.125;

/// Volumes whose gap exceeds this share of the one that can be split are looked at again later,
/// rather than split. By that one and not by the pair, since a long thin triangle of a wire is large
/// however finely the link beside it is split. Measured on arms among pipes and wires.
constexpr float settled = 0.15f;

/// Radians of all joints of a chain together, from which on a motion that is not free is likely to
/// end in a contact: then one look at its end is tried before all else.
constexpr double large_turn = 0.5;

double snapped(double time) { return std::floor(time * (1 / grid)) * grid; }

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
  candidates_ = &broad_.start(robot, world, places_,
                              {options_.separation + options_.tolerance, options.self_contact});
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
  while (!queue_.empty() && queue_.top().time < cutoff_ &&
         found_.contact.status == Status::free) {
    if (--budget_ < 0) found_.contact.give_up(queue_.top().time);
    else visit();
    if (any_ && found_.contact.stats.ca_iterations >= next_guess_) guess();
  }
}

/// Any contact will do: one later time is tried, in all that is not proven free at that time. Guesses
/// take less than half of the work, whatever comes out.
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
    visit_leaves(group, lane, nodes, now);
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
  // Bounds say nothing beyond the window, unless nothing is asked beyond it; what is apart and at
  // rest stays apart.
  const double farthest = window.end < last_ ? window.end : LaneTimes::never;
  for (int k = 0; k < 2; ++k) {
    const Quad step = widened(bounds.step, k);
    Quad reached = min(step + time, Quad{} + farthest);
    if (live.is_at_rest()) reached = step > 0 ? Quad{} + LaneTimes::never : reached;
    const Quad free_until = max(siblings.time.half[k], reached);
    siblings.time.half[k] = free_until < cutoff_ ? free_until : Quad{} + LaneTimes::never;
  }
  const float separation = static_cast<float>(live.pair().separation());
  const unsigned left = siblings.time.open();
  siblings.unsettled = left & bits(bounds.gap - separation > settled * expansion.size());
  Stats& stats = found_.contact.stats;
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(open);
  stats.front_nodes += std::popcount(open & ~left);
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
double RobotSearch::known_time(const LivePair& live, double now, double otherwise) {
  return snapped(now) <= live.time() && live.time() <= now ? live.time() : otherwise;
}

}  // namespace toccata
