#include "toccata/query/articulated/search.hpp"

#include <bit>
#include <numeric>

#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

/// Volumes are bounded at multiples of a time in which no chain turns much more than this, so that
/// many pairs share the places of the links: all joints of a chain together, in radians.
constexpr double little_turn = 0.15;

/// There are at most so many such times.
constexpr double finest_grid = 1.0 / 128;

/// The same for polynomials, in time: their derivatives vary.
constexpr double widest_bend = 0.125;

/// Steps of the walk before the first probe, and for each step of a probe. Measured on arms among
/// pipes and on a hand: more probes cost free motions more than colliding ones gain.
constexpr Count first_probe = 256, probe_share = 64;

/// Triangles of an earlier contact that take more steps than this are not followed further.
constexpr int most_recalled_steps = 64;

/// A power of two, so that its multiples are exact.
double grid_for(double turn) {
  double grid = 1;
  while (grid > finest_grid && grid * turn > little_turn) grid /= 2;
  return grid;
}

bool has_groups(const Robot& robot, const AdaptiveMemory& memory) {
  const auto active = static_cast<double>(memory.groups.active().size());
  return active <= memory.most_active * static_cast<double>(robot.joints().size());
}

/// What was found on a motion backwards, in times of the motion. Before a contact nothing is known.
void turn_around(Contact& contact) {
  const bool is_inside = contact.status == Status::initial_overlap && contact.element_a < 0;
  if (contact.status == Status::free || is_inside) return;  // at all times
  if (contact.status == Status::undecided) return contact.give_up(0);
  contact.toc = 1 - contact.toc;
  contact.safe_until = 0;
  contact.status = contact.toc > 0 ? Status::contact : Status::initial_overlap;
}

}  // namespace

void RobotPairs::start(const RobotQuery& query) {
  query_ = &query;
  last_ = std::min(query.options.cutoff, 1.0);
  const double turn = query.poses.largest_turn();
  horizon_ =
      std::min(query.poses.is_curved() ? widest_bend : 1.0, widest_turn / std::max(turn, 1e-9));
  grid_ = grid_for(turn);
  opened_.clear();
}

Index RobotPairs::open(Index pending) {
  opened_.add(*query_, (*candidates_)[(*pending_)[pending].candidate]);
  return opened_.size() - 1;
}

RobotContact RobotSearch::run(const Robot& robot, const World& world, const RobotMotion& motion,
                              const RobotOptions& options, const SearchMemory& memory) {
  options_ = options.options;
  watch_ = Stopwatch(options_.timed);
  any_ = options.any;
  found_ = {};
  recalled_.reset();
  // Any contact will do: the end comes first, since what is not free most often ends in a contact.
  const bool backwards = any_ && !motion.powers && !world.moves() && options_.cutoff > 1;
  poses_.work = {};
  AdaptiveMemory* const adaptive = memory.adaptive;
  if (adaptive) adaptive->groups.start(robot, motion, poses_.work);
  const bool is_grouped = adaptive && has_groups(robot, *adaptive);
  poses_.start(robot, motion, backwards, is_grouped ? &adaptive->groups : nullptr);
  query_.emplace(query_of(robot, world, poses_, options, options_));
  pairs_.start(*query_);
  walk_.start(pairs_, options_.cutoff, options_.budget);
  find_candidates(motion, options, is_grouped ? adaptive : nullptr);
  probes_ = backwards, next_probe_ = first_probe;
  candidates_ = &broad_.refine();
  found_.stages.seconds_hierarchy = watch_.lap();
  found_.stages.pairs_after_hierarchy = static_cast<Count>(candidates_->size());
  if (has_unclear(*query_, *candidates_, found_)) return found_;
  open_candidates(*candidates_, pending_);
  if (memory.contacts) recall(*memory.contacts);
  pairs_.set_candidates(*candidates_, pending_);
  later_.resize(pending_.size());
  std::iota(later_.begin(), later_.end(), 0);
  windows_ = pending_.empty() ? 0 : swept_.start(*query_, *candidates_, pending_);
  window_ = 0;
  search();
  if (recalled_) conclude_recalled();
  look_inside(*query_, *candidates_, found_);
  found_.stages.assembly = poses_.work;
  if (is_grouped) conclude_adaptive(*adaptive);
  if (backwards) turn_around(found_.contact);
  // Pairs that never came up are culled by the order of the queue.
  found_.stages.pairs_after_culling = found_.pairs_tested;
  found_.stages.seconds_exact += watch_.lap();
  return found_;
}

/// By the boxes of whole motions.
void RobotSearch::find_candidates(const RobotMotion& motion, const RobotOptions& options,
                                  AdaptiveMemory* adaptive) {
  const Robot& robot = query_->robot;
  const World& world = query_->world;
  const BroadQuestion question = broad_question(*query_, options);
  if (!adaptive) {
    broad_.start(robot, world, poses_, question);
    return;
  }
  GroupProofs* const proofs = adaptive->is_sequence ? &adaptive->proofs : nullptr;
  if (proofs)
    proofs->start(robot, world,
                  {options.self_contact, options.options, options.separations, options.untested},
                  adaptive->groups.version());
  AssemblyFront* const front = proofs ? &adaptive->front : nullptr;
  broad_.start({robot, world, motion, poses_, adaptive->groups, options.enclosures, proofs, front},
               question);
}

/// Pairs at rest come up at the start: what ends free or in a contact later on has found them free.
void RobotSearch::conclude_adaptive(AdaptiveMemory& adaptive) {
  const Contact& contact = found_.contact;
  const bool is_later = contact.status == Status::contact && contact.toc > 0 && !any_;
  if (contact.status == Status::free || is_later) adaptive.proofs.confirm();
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

/// Candidates enter the walk with the first window in which they may touch: what comes after a
/// contact is never looked at.
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
  if (contact.status == Status::contact && found_.link_a < 0)
    name_contact(*query_, pairs_[walk_.last_pair()], found_);
  for (Index i = 0; i < pairs_.size() && found_.link_a < 0; ++i)
    contact.tolerance = std::max(contact.tolerance, pairs_.pair(i).stated_tolerance());
}

void RobotSearch::enter_window() {
  found_.stages.seconds_exact += watch_.lap();
  const unsigned window = swept_.window(window_);
  std::erase_if(later_, [&](Index i) {
    PendingCandidate& pending = pending_[i];
    if (!(pending.windows & window)) return false;
    if (!swept_.may_touch((*candidates_)[pending.candidate], window_)) {
      pending.windows &= ~window;
      return false;
    }
    walk_.add(i, std::countr_zero(pending.windows) * (1.0 / World::windows));
    return true;
  });
  ++window_;
  found_.stages.seconds_culling += watch_.lap();
}

/// Any contact will do: one later time is tried, in all that is not proven free at that time.
/// Probes take a small part of the work, whatever comes out.
void RobotSearch::probe() {
  if (walk_.is_over() || found_.contact.status != Status::free) return;
  const double known = walk_.time(), time = probe_time(probes_++);
  if (time < known || time >= options_.cutoff) return;
  const Count before = found_.contact.stats.ca_iterations;
  for (const auto& [earliest, index] : walk_.branches().waiting()) {
    if (earliest > time) continue;
    if (index < 0 ? probe(pending_[~index], time) : probe(walk_.branches()[index], time)) {
      found_.contact.safe_until = known;
      return;
    }
  }
  for (const Index i : later_)
    if (probe(pending_[i], time)) {
      found_.contact.safe_until = known;
      return;
    }
  const Count now = found_.contact.stats.ca_iterations;
  next_probe_ = now + std::max(before, probe_share * (now - before));
}

bool RobotSearch::probe(const PendingCandidate& pending, double time) {
  return may_touch(pending, time) && probe((*candidates_)[pending.candidate], time);
}

bool RobotSearch::probe(const Candidate& candidate, double time) {
  if (broad_.gap(candidate, time) > 0) return false;
  const RobotPair bodies(*query_, candidate);
  return note(bodies, toccata::probe(bodies.posed(time, poses_), found_.contact.stats), time);
}

bool RobotSearch::probe(const Branch& branch, double time) {
  const RobotPair& bodies = pairs_[branch.pair];
  unsigned lanes = 0;
  for_lanes(branch.siblings.time.open(), [&](int lane) {
    if (branch.siblings.time[lane] <= time) lanes |= 1u << lane;
  });
  return note(bodies,
              toccata::probe(bodies.posed(time, poses_), branch.siblings.family, lanes,
                             found_.contact.stats),
              time);
}

/// Writes down what a probe has found.
bool RobotSearch::note(const RobotPair& bodies, const std::optional<Touch>& touch, double time) {
  if (!touch) return false;
  record(found_.contact, time, touch->a, touch->b, touch->triangles);
  name_contact(*query_, bodies, found_);
  return true;
}

}  // namespace toccata
