#include "toccata/query/robot_first_contact/hca_search.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/setting/start.hpp"

namespace toccata {
namespace {

std::size_t element_count(const Mesh& mesh) {
  return mesh.surface() ? mesh.cells().size() : mesh.faces().size();
}

/// Splits from the root of a hierarchy to its leaves, if it is balanced.
int depth(const Mesh& mesh) {
  return 1 + static_cast<int>(std::bit_width(element_count(mesh))) / 3;
}

/// T_depth of the paper: a third of the way down both hierarchies.
int shallow(const MovingPair& pair) {
  return std::max(1, (depth(pair.mesh_a()) + depth(pair.mesh_b())) / 3);
}

}  // namespace

RobotContact HcaSearch::run(const Robot& robot, const World& world, const double* q_0,
                            const double* q_1, const RobotOptions& options,
                            const KnownContacts* known) {
  found_ = {};
  StageStats& stages = found_.stages;
  Stopwatch watch(options.options.timed);
  poses_.start(robot, q_0, q_1);
  RobotInWorld setting(robot, world, poses_, broad_, options, options.options);
  setting_ = &setting;
  candidates_ = setting.find_candidates();
  if (has_unclear(setting, candidates_, options.options, found_)) return found_;
  stages.pairs_after_hierarchy = static_cast<Count>(candidates_.size());
  stages.seconds_hierarchy = watch.lap();
  opened_.start(setting, candidates_);
  pairs_.start(setting, q_0, q_1);
  walk_.start(options.options.cutoff, options.options.budget, options.any);
  fronts_.clear();
  open_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    open_.push_back({candidates_[i].earliest, static_cast<Index>(i)});
  if (known) recall(*known);
  drop_late();
  if (options.temporal) cull();
  stages.pairs_after_culling = static_cast<Count>(open_.size());
  stages.seconds_culling = watch.lap();
  if (options.temporal)
    for (Open& open : open_) walk(open, {});
  else walk_apart();
  conclude();
  stages.seconds_exact = watch.lap();
  return found_;
}

/// The first step of algorithm 4. Lower bounds come first for all pairs: upper bounds are then
/// looked for where contact is likely to be early, and most pairs are culled without one of their
/// own.
void HcaSearch::cull() {
  for (Open& open : open_)
    if (matters(open)) walk(open, {.depth = shallow(open_pair(open).pair())});
  drop_late();
  for (Open& open : open_) walk(open, {.leaves = 1});
  drop_late();
}

/// What the paper starts from: the first contact of every pair of bodies, of which the earliest is
/// taken.
void HcaSearch::walk_apart() {
  const EarliestContact<RobotPair> before = walk_.earliest();
  EarliestContact<RobotPair> best = before;
  for (Open& open : open_) {
    walk_.set_earliest(before);
    walk(open, {});
    if (walk_.earliest().cutoff < best.cutoff) best = walk_.earliest();
  }
  walk_.set_earliest(best);
}

/// Goes on with what is left of a pair of bodies.
void HcaSearch::walk(Open& open, Extent extent) {
  if (!matters(open)) return;
  RobotPair& bodies = open_pair(open);
  pairs_.look_at(bodies);
  walk_.look_at(pairs_, std::span(fronts_).subspan(open.begin, open.end - open.begin));
  walk_.run(extent);
  open.begin = static_cast<Index>(fronts_.size());
  open.time = LaneTimes::never;
  for (const DepthTask& task : walk_.rest()) {
    fronts_.push_back(task);
    open.time = std::min(open.time, task.time);
  }
  open.end = static_cast<Index>(fronts_.size());
}

/// Culls pairs that cannot touch before the earliest contact so far, and sorts the others.
void HcaSearch::drop_late() {
  std::erase_if(open_, [&](const Open& open) { return open.time >= walk_.earliest().cutoff; });
  std::sort(open_.begin(), open_.end(), [](const Open& s, const Open& t) {
    return s.time != t.time ? s.time < t.time : s.candidate < t.candidate;
  });
}

RobotPair& HcaSearch::open_pair(Open& open) {
  if (open.bodies) return *open.bodies;
  open.bodies = &opened_[opened_.open(open.candidate)];
  open.begin = static_cast<Index>(fronts_.size());
  fronts_.push_back({open.time, root_pair(), 0});
  open.end = static_cast<Index>(fronts_.size());
  return *open.bodies;
}

/// Triangles of earlier contacts give upper bounds before anything else is looked at.
void HcaSearch::recall(const KnownContacts& known) {
  for (Open& open : open_) {
    const std::optional<ElementPair> elements = known.of(*setting_, candidates_[open.candidate]);
    if (!elements || !matters(open)) continue;
    pairs_.look_at(open_pair(open));
    walk_.look_at(pairs_, {});
    double time = open.time;
    walk_.advance(elements->a, elements->b, time);
  }
}

/// The answer, from the earliest contact and from what the walks have left.
void HcaSearch::conclude() {
  const EarliestContact<RobotPair>& earliest = walk_.earliest();
  Contact& contact = found_.contact;
  contact = earliest.contact;
  const double tolerance = opened_.largest_tolerance();
  contact.tolerance = tolerance;
  contact.stats = walk_.stats();
  found_.pairs_tested = opened_.size();
  double safe = contact.safe_until;
  for (const Open& open : open_) safe = std::min(safe, open.time);
  if (walk_.exhausted() && safe < earliest.cutoff) {
    contact.give_up(safe);
    contact.tolerance = tolerance;
  } else if (earliest.pair) {
    name_contact(*setting_, earliest.pair->candidate(), earliest.pair->pair(), found_);
    contact.safe_until = safe;  // any contact need not be the first
  }
  look_inside(*setting_, candidates_, found_);
}

}  // namespace toccata
