#include "toccata/query/articulated/search.hpp"

#include "toccata/query/articulated/outcome.hpp"
#include "toccata/query/rigid/leaf.hpp"

namespace toccata {
namespace {

/// Volumes are bounded at multiples of this, so that many pairs share the places of the links.
constexpr double grid = 1.0 / 128;

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

/// The same for polynomials, in time: their derivatives vary.
constexpr double widest_bend = 0.125;

/// As `settled_gap` of rigid bodies. Steps are cheaper here, since the places of the links are known,
/// and pairs of links are seldom small against their gap: measured on an arm among pipes and wires.
constexpr double settled = 0.03;

double snapped(double time) { return std::floor(time * (1 / grid)) * grid; }

}  // namespace

RobotContact RobotSearch::run(const Robot& robot, const World& world, const Way& way,
                              const RobotOptions& options) {
  options_ = options.options;
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
  const double everyone = options.separations ? 0 : options_.separation;
  candidates_ = &broad_.run(
      robot, world, places_,
      {everyone + options_.tolerance, options.self_contact, options.separations.get()});
  for (std::size_t i = 0; i < candidates_->size(); ++i)
    queue_.push((*candidates_)[i].earliest, ~static_cast<Index>(i));
  budget_ = options_.budget;
  search();
  look_inside(*journey_, *candidates_, found_);
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
  }
}

Span RobotSearch::span(double time) const { return {time, std::min(last_, time + horizon_)}; }

void RobotSearch::visit() {
  const auto [now, index] = queue_.top();
  if (index < 0) {
    queue_.pop();
    ++found_.pairs_tested;
    const LivePair& live = wake((*candidates_)[~index]);
    found_.contact.tolerance = std::max(found_.contact.tolerance, live.pair().tolerance());
    split(awake_ - 1, root_pair(), now);
    return;
  }
  Group& group = groups_[index];
  Siblings& siblings = group.siblings;
  const int lane = siblings.time.earliest();
  const NodePair nodes = siblings.family.child(lane);
  if (siblings.unsettled >> lane & 1) {
    const double before = snapped(now);
    step(group, before);
    // Too much was lost by looking from an earlier time.
    if (before < now && siblings.time[lane] < now + (now - before)) step(group, now);
    requeue_top();
  } else if (are_leaves(live_[group.live]->pair(), nodes)) {
    visit_leaves(group, lane, nodes, now);
  } else {
    siblings.time.set(lane, LaneTimes::never);
    const Index live = group.live;
    requeue_top();
    split(live, nodes, now);
  }
}

LivePair& RobotSearch::wake(const Candidate& candidate) {
  if (live_.size() == static_cast<std::size_t>(awake_)) live_.emplace_back();
  return live_[awake_++].emplace(*journey_, candidate);
}

void RobotSearch::push(const Group& group) {
  if (!group.siblings.time.open()) return;
  queue_.push(group.siblings.time.least(), static_cast<Index>(groups_.size()));
  groups_.push_back(group);
}

void RobotSearch::requeue_top() {
  const Index index = queue_.top().index;
  const LaneTimes& times = groups_[index].siblings.time;
  if (times.open()) queue_.replace_top(times.least(), index);
  else queue_.pop();
}

void RobotSearch::split(Index live, const NodePair& nodes, double now) {
  const Expansion<VolumeKind::box> expansion(live_[live]->pair(), nodes);
  Group group{{expansion.family(), {now, expansion.used()}, 0}, live};
  step(group, snapped(now));
  push(group);
}

/// One step of advancement of all open pairs from `time`, at which all of them are still free.
void RobotSearch::step(Group& group, double time) {
  LivePair& live = *live_[group.live];
  Siblings& siblings = group.siblings;
  const Expansion<VolumeKind::box> expansion(live.pair(), siblings.family);
  const Span window = span(time);
  const Approach bounds = expansion.bounds(live.at(window, places_));
  const bool at_rest = live.is_at_rest();
  Stats& stats = found_.contact.stats;
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(siblings.time.open());
  const Pack reach = expansion.reach();
  for_lanes(siblings.time.open(), [&](int lane) {
    double reached = time + static_cast<double>(bounds.step[lane]);
    if (at_rest && bounds.step[lane] > 0) reached = cutoff_;
    if (reached > window.end && window.end < last_) reached = window.end;
    const double free_until = std::max(siblings.time[lane], reached);
    const bool done = free_until >= cutoff_;
    siblings.time.set(lane, done ? LaneTimes::never : free_until);
    stats.front_nodes += done;
    const unsigned bit = 1u << lane;
    siblings.unsettled &= ~bit;
    if (!done && bounds.gap[lane] - live.pair().separation() > settled * reach[lane])
      siblings.unsettled |= bit;
  });
}

void RobotSearch::visit_leaves(Group& group, int lane, const NodePair& nodes, double now) {
  LivePair& live = *live_[group.live];
  const MovingPair& pair = live.pair();
  Contact& contact = found_.contact;
  ++contact.stats.elementary_tests;
  const Index a = element(pair.mesh_a().bvh().child(nodes.a));
  const Index b = element(pair.mesh_b().bvh().child(nodes.b));
  const Span window = span(now);
  const LeafApproach leaf = approach_leaves(pair, live.at(window, places_), a, b);
  if (leaf.touches) {
    record(contact, now, a, b, leaf.triangles);
    return name_contact(*journey_, live, found_);
  }
  if (any_ && probe(live, a, b, now + 2 * leaf.step)) return;
  if (!(leaf.step > 0)) return contact.give_up(now);
  double free_until = live.is_at_rest() ? cutoff_ : now + leaf.step;
  if (free_until > window.end && window.end < last_) free_until = window.end;
  const bool done = free_until >= cutoff_;
  group.siblings.time.set(lane, done ? LaneTimes::never : free_until);
  contact.stats.front_nodes += done;
  requeue_top();
}

/// Any contact will do: triangles that come closer are tried a little later, where they may well
/// touch. Nothing is known about the time between.
bool RobotSearch::probe(LivePair& live, Index a, Index b, double time) {
  if (live.is_at_rest() || !(time < last_)) return false;
  ++found_.contact.stats.elementary_tests;
  const LeafApproach leaf = approach_leaves(live.pair(), live.at({time, time}, places_), a, b);
  if (!leaf.touches) return false;
  record(found_.contact, time, a, b, leaf.triangles);
  found_.contact.safe_until = queue_.top().time;
  name_contact(*journey_, live, found_);
  return true;
}

}  // namespace toccata
