// The best-first traversal of a robot, with swept-volume culling at the start of each window, and
// with probes for queries that accept any contact.
#include "toccata/query/robot_first_contact/search.hpp"

#include <bit>
#include <numeric>

#include "toccata/query/setting/start.hpp"

namespace toccata {
namespace {

/// Rotation in radians, summed over the joints of a chain, between two times at which volumes are
/// bounded. Many pairs share the link poses at these times.
constexpr double little_turn = 0.15;

/// Shortest distance between such times.
constexpr double finest_grid = 1.0 / 128;

/// Longest window of bounds for motions along polynomials, whose derivatives vary.
constexpr double longest_curved_window = 0.125;

/// Iterations of the traversal before the first probe, and iterations per iteration of a probe.
/// Probes shorten the slowest of the colliding motions by a tenth, and lengthen free motions by
/// less than a fiftieth, measured on arms among pipes and on a hand.
constexpr Count first_probe = 384, probe_share = 128;

/// Returns the distance between grid times for a motion. It is a power of two, so its multiples are
/// exact.
double grid_for(double turn) {
  double grid = 1;
  while (grid > finest_grid && grid * turn > little_turn) grid /= 2;
  return grid;
}

bool has_groups(const Robot& robot, const AdaptiveCoherence& coherence) {
  const auto active = static_cast<double>(coherence.groups.active().size());
  return active <= coherence.most_active * static_cast<double>(robot.joints().size());
}

PoseTimes pose_times(const LinkPoses& poses, double cutoff) {
  const double turn = poses.largest_turn();
  return {.last = std::min(cutoff, 1.0),
          .longest_window = std::min(poses.is_curved() ? longest_curved_window : 1.0,
                                     widest_turn / std::max(turn, 1e-9)),
          .grid = grid_for(turn)};
}

/// Converts the answer of a reversed motion to times of the motion. Nothing is proven before its
/// contact.
void turn_around(Contact& contact) {
  const bool is_inside = contact.status == Status::initial_overlap && contact.element_a < 0;
  if (contact.status == Status::free || is_inside) return;  // valid at all times
  if (contact.status == Status::undecided) return contact.give_up(0);
  contact.toc = 1 - contact.toc;
  contact.safe_until = 0;
  contact.status = contact.toc > 0 ? Status::contact : Status::initial_overlap;
}

}  // namespace

RobotContact RobotSearch::run(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                              const RobotOptions& options, AdaptiveCoherence* coherence) {
  options_ = options.options;
  watch_ = Stopwatch(options_.timed);
  any_ = options.any;
  found_ = {};
  // With `any`, the motion is reversed, because most motions with a contact end in one.
  const bool backwards = any_ && !motion.powers && !world.moves() && options_.cutoff > 1 &&
                         !options.intervals;
  AdaptiveCoherence* const grouped = cull({robot, world, motion, options, backwards}, coherence);
  probes_ = backwards, next_probe_ = first_probe;
  found_.stages.seconds_hierarchy = watch_.lap();
  found_.stages.pairs_after_hierarchy = static_cast<Count>(candidates_.size());
  if (has_unclear(*setting_, candidates_, options_, found_)) return found_;
  setting_->times = pose_times(poses_, options_.cutoff);
  pairs_.start(*setting_, candidates_);
  if (options.intervals) {
    intervals_.run(*setting_, candidates_, any_, found_);
  } else {
    start_walk();
    search();
  }
  test_inside(*setting_, candidates_, found_);
  found_.stages.assembly = poses_.work;
  if (grouped) conclude_adaptive(*grouped);
  if (backwards) turn_around(found_.contact);
  // Candidates that were never opened are culled by the order of the queue.
  found_.stages.pairs_after_culling = found_.pairs_tested;
  found_.stages.seconds_exact += watch_.lap();
  return found_;
}

void RobotSearch::start_walk() {
  walk_.start(pairs_, options_.cutoff, options_.budget);
  later_.resize(candidates_.size());
  std::iota(later_.begin(), later_.end(), 0);
  windows_ = candidates_.empty() ? 0 : swept_.start(*setting_, candidates_);
  window_ = 0;
}

/// Updates poses and volumes, and finds the pairs that may touch. Returns `adaptive` if links are
/// grouped, else null. Not inlined, so that profiles show this part of a query by name.
[[gnu::noinline]] AdaptiveCoherence* RobotSearch::cull(const Query& query,
                                                       AdaptiveCoherence* adaptive) {
  const auto& [robot, world, motion, options, backwards] = query;
  poses_.work = {};
  if (adaptive) adaptive->groups.start(robot, motion, poses_.work);
  if (adaptive && !has_groups(robot, *adaptive)) adaptive = nullptr;
  poses_.start(robot, motion, backwards, adaptive ? &adaptive->groups : nullptr);
  setting_.emplace(robot, world, poses_, broad_, options, options_);
  start_broad_phase(motion, options, adaptive);
  candidates_ = broad_.refine();
  return adaptive;
}

/// Compares the boxes of whole motions: boxes of rigid groups with `adaptive`, else boxes of links.
void RobotSearch::start_broad_phase(const RobotMotion& motion, const RobotOptions& options,
                                    AdaptiveCoherence* adaptive) {
  const Robot& robot = setting_->robot;
  const BodySet& world = setting_->world;
  const BroadQuery query = setting_->query();
  if (!adaptive) {
    broad_.start(robot, world, poses_, query);
    return;
  }
  GroupProofs* const proofs = adaptive->is_sequence && !any_ ? &adaptive->proofs : nullptr;
  if (proofs)
    proofs->start(robot, world,
                  {options.self_contact, options.options, options.separations, options.ignored},
                  adaptive->groups.version());
  AssemblyFront* const front = proofs ? &adaptive->front : nullptr;
  broad_.start({robot, world, motion, poses_, adaptive->groups, options.enclosures, proofs, front},
               query);
}

/// Confirms the proofs of pairs at rest. They are tested at the start, so a free answer or a later
/// contact proves them free.
void RobotSearch::conclude_adaptive(AdaptiveCoherence& adaptive) {
  const Contact& contact = found_.contact;
  const bool is_later = contact.status == Status::contact && contact.toc > 0 && !any_;
  const bool proves_rest = contact.status == Status::free || is_later;
  if (proves_rest) adaptive.proofs.confirm();
  if (!adaptive.is_sequence || any_ || !adaptive.front.by_links) return;
  LinkFront& front = adaptive.front.links;
  if (proves_rest) front.confirm();
  for (Index i = 0; i < pairs_.size(); ++i)
    front.learn(pairs_.candidate(i), pairs_[i].seen_distance());
}

RobotContact RobotSearch::resume(double separation) {
  options_.separation = separation;
  pairs_.set_separation(separation);
  found_.contact = Contact{.stats = found_.contact.stats};
  found_.link_a = found_.link_b = found_.body = -1;
  search();
  return found_;
}

/// Queues a candidate when its first window is reached. Windows after a contact are never tested.
void RobotSearch::search() {
  Contact& contact = found_.contact;
  for (;;) {
    const double next = windows_ ? static_cast<double>(window_) / windows_ : 1;
    const bool is_last = later_.empty() || window_ == windows_ || next >= options_.cutoff;
    const double end = is_last ? infinity : next;
    while (!walk_.is_over() && walk_.time() < end && contact.status == Status::free) {
      walk_.step(contact);
      if (any_ && contact.stats.ca_iterations >= next_probe_) probe();
    }
    if (is_last || contact.status != Status::free) break;
    enter_window();
  }
  found_.pairs_tested = pairs_.size();
  if (contact.status == Status::contact && found_.link_a < 0) {
    const Index last = walk_.last_pair();
    name_contact(*setting_, pairs_.candidate(last), pairs_[last].pair(), found_);
  }
  if (found_.link_a < 0) contact.tolerance = pairs_.largest_tolerance(contact.tolerance);
}

[[gnu::noinline]] void RobotSearch::enter_window() {
  found_.stages.seconds_exact += watch_.lap();
  const unsigned window = swept_.window(window_);
  std::erase_if(later_, [&](Index i) {
    Candidate& candidate = candidates_[i];
    if (!(candidate.windows & window)) return false;
    if (!swept_.may_touch(candidate, window_)) {
      candidate.windows &= ~window;
      return false;
    }
    walk_.add(i, candidate.first_window());
    return true;
  });
  ++window_;
  found_.stages.seconds_culling += watch_.lap();
}

/// Tests all pairs that are not proven free at a later time, with `any`. Probes take a fixed share
/// of the work.
void RobotSearch::probe() {
  if (walk_.is_over() || found_.contact.status != Status::free) return;
  const double known = walk_.time(), time = probe_time(probes_++);
  if (time < known || time >= options_.cutoff) return;
  const Count before = found_.contact.stats.ca_iterations;
  for (const auto& [earliest, index] : walk_.branches().waiting()) {
    if (earliest > time) continue;
    if (index < 0 ? probe(candidates_[~index], time) : probe(walk_.branches()[index], time)) {
      found_.contact.safe_until = known;
      return;
    }
  }
  for (const Index i : later_)
    if (probe(candidates_[i], time)) {
      found_.contact.safe_until = known;
      return;
    }
  const Count now = found_.contact.stats.ca_iterations;
  next_probe_ = now + std::max(before, probe_share * (now - before));
}

bool RobotSearch::probe(const Candidate& candidate, double time) {
  if (!candidate.may_touch(time) || broad_.gap(candidate, time) > 0) return false;
  const RobotPair bodies(*setting_, candidate);
  return note(bodies, toccata::probe(bodies.posed(time), found_.contact.stats), time);
}

bool RobotSearch::probe(const Branch& branch, double time) {
  const RobotPair& bodies = pairs_[branch.pair];
  unsigned lanes = 0;
  for_lanes(branch.siblings.time.pending(), [&](int lane) {
    if (branch.siblings.time[lane] <= time) lanes |= 1u << lane;
  });
  return note(
      bodies,
      toccata::probe(bodies.posed(time), branch.siblings.nodes, lanes, found_.contact.stats), time);
}

/// Records the contact of a probe, if there is one.
bool RobotSearch::note(const RobotPair& bodies, const std::optional<Touch>& touch, double time) {
  if (!touch) return false;
  record(found_.contact, time, touch->a, touch->b, touch->triangles);
  name_contact(*setting_, bodies.candidate(), bodies.pair(), found_);
  return true;
}

}  // namespace toccata
