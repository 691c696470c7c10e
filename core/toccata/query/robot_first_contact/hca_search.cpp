// Temporal culling: order and limits of the traversals of all pairs.
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

/// Returns the depth of a balanced hierarchy.
int depth(const Mesh& mesh) {
  return 1 + static_cast<int>(std::bit_width(element_count(mesh))) / 3;
}

/// Returns T_depth of the paper: a third of the depth of both hierarchies.
int shallow(const MovingPair& pair) {
  return std::max(1, (depth(pair.mesh_a()) + depth(pair.mesh_b())) / 3);
}

}  // namespace

RobotContact HcaSearch::run(const Robot& robot, const BodySet& world, const double* q_0,
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
  pending_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    pending_.push_back({candidates_[i].earliest, static_cast<Index>(i)});
  if (known) recall(*known);
  drop_late();
  if (options.temporal) cull();
  stages.pairs_after_culling = static_cast<Count>(pending_.size());
  stages.seconds_culling = watch.lap();
  if (options.temporal)
    for (Pending& pair : pending_) walk(pair, {});
  else walk_apart();
  conclude();
  stages.seconds_exact = watch.lap();
  return found_;
}

/// Takes the first step of algorithm 4. Computes lower bounds for all pairs first. Upper bounds are
/// then computed where contact is likely to be early, and most pairs are culled without one.
void HcaSearch::cull() {
  for (Pending& pair : pending_)
    if (matters(pair)) walk(pair, {.depth = shallow(open_pair(pair).pair())});
  drop_late();
  for (Pending& pair : pending_) walk(pair, {.leaves = 1});
  drop_late();
}

/// Finds the first contact of each pair of bodies independently, and takes the earliest: the
/// paper's method without temporal culling.
void HcaSearch::walk_apart() {
  const EarliestContact<RobotPair> before = walk_.earliest();
  EarliestContact<RobotPair> best = before;
  for (Pending& pair : pending_) {
    walk_.set_earliest(before);
    walk(pair, {});
    if (walk_.earliest().cutoff < best.cutoff) best = walk_.earliest();
  }
  walk_.set_earliest(best);
}

/// Resumes the traversal of a pair of bodies.
void HcaSearch::walk(Pending& pair, Extent extent) {
  if (!matters(pair)) return;
  RobotPair& bodies = open_pair(pair);
  pairs_.switch_to(bodies);
  walk_.switch_to(pairs_, std::span(fronts_).subspan(pair.begin, pair.end - pair.begin));
  walk_.run(extent);
  pair.begin = static_cast<Index>(fronts_.size());
  pair.time = LaneTimes::never;
  for (const DepthTask& task : walk_.rest()) {
    fronts_.push_back(task);
    pair.time = std::min(pair.time, task.time);
  }
  pair.end = static_cast<Index>(fronts_.size());
}

/// Culls pairs that cannot touch before the earliest contact so far, and sorts the others.
void HcaSearch::drop_late() {
  std::erase_if(pending_,
                [&](const Pending& pair) { return pair.time >= walk_.earliest().cutoff; });
  std::sort(pending_.begin(), pending_.end(), [](const Pending& s, const Pending& t) {
    return s.time != t.time ? s.time < t.time : s.candidate < t.candidate;
  });
}

RobotPair& HcaSearch::open_pair(Pending& pair) {
  if (pair.bodies) return *pair.bodies;
  pair.bodies = &opened_[opened_.open(pair.candidate)];
  pair.begin = static_cast<Index>(fronts_.size());
  fronts_.push_back({pair.time, root_pair(), 0});
  pair.end = static_cast<Index>(fronts_.size());
  return *pair.bodies;
}

/// Computes upper bounds from the triangles of earlier contacts.
void HcaSearch::recall(const KnownContacts& known) {
  for (Pending& pair : pending_) {
    const std::optional<ElementPair> elements = known.of(*setting_, candidates_[pair.candidate]);
    if (!elements || !matters(pair)) continue;
    pairs_.switch_to(open_pair(pair));
    walk_.switch_to(pairs_, {});
    double time = pair.time;
    walk_.advance(elements->a, elements->b, time);
  }
}

/// Completes the answer from the earliest contact and the pending pairs.
void HcaSearch::conclude() {
  const EarliestContact<RobotPair>& earliest = walk_.earliest();
  Contact& contact = found_.contact;
  contact = earliest.contact;
  const double tolerance = opened_.largest_tolerance();
  contact.tolerance = tolerance;
  contact.stats = walk_.stats();
  found_.pairs_tested = opened_.size();
  double safe = contact.safe_until;
  for (const Pending& pair : pending_) safe = std::min(safe, pair.time);
  if (walk_.exhausted() && safe < earliest.cutoff) {
    contact.give_up(safe);
    contact.tolerance = tolerance;
  } else if (earliest.pair) {
    name_contact(*setting_, earliest.pair->candidate(), earliest.pair->pair(), found_);
    contact.safe_until = safe;  // with `any`, an earlier contact may exist
  }
  test_inside(*setting_, candidates_, found_);
}

}  // namespace toccata
