#include "toccata/query/robot_first_contact/simultaneous.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/query/setting/start.hpp"

namespace toccata {
namespace {

/// Boxes that move farther along each other than the smaller one reaches wait for shorter windows,
/// triangles included: to look again at eight boxes costs as much as one pair of triangles. The
/// smaller one, and not the extent of both (k of Redon et al. 2002), since a floor or a wire is
/// large however finely the link beside it is split. What moves less than the tolerance, or than a
/// small part of the larger one, is not worth shorter windows, however small it is: it may be a
/// point.
bool is_too_long(const BoxMeeting& meeting, int lane, double tolerance) {
  constexpr float small_part = 0x1p-8f;
  return meeting.path[lane] > std::max({meeting.smaller[lane], small_part * meeting.larger[lane],
                                        static_cast<float>(tolerance)});
}

/// Equations are asked of triangles that a fixed direction keeps apart for this share of the time:
/// they cost several times as much. Measured on arms among pipes and wires, where asking them
/// of all triangles doubles the time of colliding motions.
constexpr double asked_beyond = 0.8;

Triangle about(const Vec3d& center, const Triangle& t) {
  return {{t.corner[0] - center, t.corner[1] - center, t.corner[2] - center}};
}

template <class T>
void cut(std::vector<T>& list, std::size_t size) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(size), list.end());
}

}  // namespace

void Simultaneous::run(RobotInWorld& setting, std::span<const Candidate> candidates, bool any,
                       RobotContact& found) {
  setting_ = &setting;
  any_ = any;
  found_ = &found;
  budget_ = setting.options.budget;
  pairs_.start(setting, candidates);
  start(candidates);
  while (!windows_.empty() && is_open()) {
    const Window window = windows_.back();
    windows_.pop_back();
    visit(window);
    cut(nodes_, window.nodes);
    cut(triangles_, window.triangles);
    if (is_open()) go_on();
  }
  found.pairs_tested = pairs_.opened().size();
  if (found.contact.tolerance == 0) found.contact.tolerance = pairs_.opened().largest_tolerance();
}

void Simultaneous::start(std::span<const Candidate> candidates) {
  windows_.clear();
  nodes_.clear();
  triangles_.clear();
  const Interval whole{0, std::min(setting_->options.cutoff, 1.0)};
  const Siblings roots{0, Bvh::root(), true};
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].windows) nodes_.push_back({static_cast<Index>(i), roots, 1, whole});
  windows_.push_back({whole, 0, 0});
}

bool Simultaneous::spend() {
  if (toccata::spend(budget_)) return true;
  // Windows come up in the order of time, so nothing touches before this one.
  found_->contact.give_up(now());
  return false;
}

void Simultaneous::visit(const Window& window) {
  pairs_.enter(window.time);
  nodes_left_.clear();
  triangles_left_.clear();
  triangles_found_.clear();
  if (now() >= setting_->options.cutoff) return;
  for (std::size_t i = window.nodes; i < nodes_.size() && is_open(); ++i) walk(nodes_[i]);
  // Only then the triangles, whose motions are expanded at another time, the start of the window.
  for (std::size_t i = window.triangles; i < triangles_.size() && is_open(); ++i)
    solve(triangles_[i]);
  for (std::size_t i = 0; i < triangles_found_.size() && is_open(); ++i) solve(triangles_found_[i]);
}

/// Looks at pairs of nodes and at all below them that the window is short enough for.
void Simultaneous::walk(ActiveNodes active) {
  if (!pairs_.clip(active.candidate, active.span)) return;
  if (!pairs_.is_fine(active.candidate)) return nodes_left_.push_back(active);
  below_.assign(1, active);
  while (!below_.empty() && spend()) {
    const ActiveNodes next = below_.back();
    below_.pop_back();
    look_at(next);
  }
}

void Simultaneous::look_at(const ActiveNodes& active) {
  const WindowView& view = pairs_.view(active.candidate);
  const MovingPair& pair = pairs_.bodies(active.candidate).pair();
  const Siblings& siblings = active.nodes;
  const Bvh &a = pair.mesh_a().bvh(), &b = pair.mesh_b().bvh();
  const BoxLanes split = all_lanes((siblings.of_a ? a : b).nodes[siblings.parent]);
  const BoxLanes other =
      one_lane((siblings.of_a ? b : a).nodes[siblings.other.node()], siblings.other.lane());
  const bool split_is_x = siblings.of_a == pairs_.a_is_x(active.candidate);
  found_->contact.stats.bv_tests += std::popcount(active.lanes);
  sort_out(active,
           meet(split_is_x ? split : other, split_is_x ? other : split, view.motion, view.box));
}

/// Excludes lanes, goes down, or leaves them for shorter windows.
void Simultaneous::sort_out(const ActiveNodes& active, const BoxMeeting& meeting) {
  const Interval& window = pairs_.window();
  const double mid = middle(window), half = pairs_.view(active.candidate).box.half;
  const double tolerance = pairs_.bodies(active.candidate).pair().tolerance();
  ActiveNodes later = active;
  later.lanes = 0;
  later.span = {window.hi, window.lo};
  for_lanes(active.lanes, [&](int lane) {
    const float from = meeting.from[lane], to = meeting.to[lane];
    Interval span{std::max(active.span.lo, mid + half * from),
                  std::min(active.span.hi, mid + half * to)};
    if (from > to || !pairs_.clip(active.candidate, span)) {
      ++found_->contact.stats.front_nodes;
      return;
    }
    // What can touch in the second half only may never have to be looked at.
    if (!is_too_long(meeting, lane, tolerance) && !(span.lo > mid))
      return go_down(active, lane, span);
    later.lanes |= 1u << lane;
    later.span = hull(later.span, span);
  });
  if (later.lanes) nodes_left_.push_back(later);
}

void Simultaneous::go_down(const ActiveNodes& active, int lane, const Interval& span) {
  const MovingPair& pair = pairs_.bodies(active.candidate).pair();
  const NodePair nodes = active.nodes.child(lane);
  if (are_leaves(pair, nodes)) {
    const Index a = element(pair.mesh_a().bvh().child(nodes.a));
    const Index b = element(pair.mesh_b().bvh().child(nodes.b));
    triangles_found_.push_back({active.candidate, a, b, all_features, span});
  } else {
    const Expansion<VolumeKind::box> expansion(pair, nodes);
    below_.push_back({active.candidate, expansion.siblings(), expansion.used(), span});
  }
}

/// Two triangles over the window: they touch at its start, or are excluded, or stay active.
void Simultaneous::solve(ActiveTriangles active) {
  if (!pairs_.clip(active.candidate, active.span)) return;
  if (active.span.lo > middle(pairs_.window())) return triangles_left_.push_back(active);
  if (!spend()) return;
  const RobotPair& bodies = pairs_.bodies(active.candidate);
  ++found_->contact.stats.elementary_tests;
  const LeafApproach leaf =
      approach_leaves(bodies.pair(), pairs_.state(active.candidate), active.a, active.b);
  if (leaf.touches) return touch(active, now(), leaf.triangles);
  if (bodies.is_at_rest() && leaf.step > 0) return;
  active.span.lo = std::max(active.span.lo, now() + leaf.step);
  if (active.span.lo > active.span.hi) return;
  if (any_ && probe(active, now() + 2 * leaf.step)) return;
  const bool stuck = !(active.span.lo > now());
  const bool nearly_done = leaf.step > asked_beyond * (active.span.hi - now());
  if ((stuck || nearly_done) && exclude(active)) return;
  // Neither proof gets any further, nor do the triangles touch.
  if (!(active.span.lo > now())) return found_->contact.give_up(now());
  triangles_left_.push_back(active);
}

/// The equations over the rest of the window. True if none can vanish in it.
bool Simultaneous::exclude(ActiveTriangles& active) {
  const MovingPair& pair = pairs_.bodies(active.candidate).pair();
  // Surfaces have no vertices and edges; the approach of their pieces is all there is.
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) return false;
  const Triangle a = about(pair.mesh_a().center(), pair.mesh_a().triangle(active.a));
  const Triangle b = about(pair.mesh_b().center(), pair.mesh_b().triangle(active.b));
  const bool a_is_x = pairs_.a_is_x(active.candidate);
  found_->contact.stats.elementary_tests += std::popcount(active.open);
  const FeatureTest test = test_features(
      {a_is_x ? a : b, a_is_x ? b : a}, pairs_.motion(active.candidate), active.span.hi - now(),
      {pair.separation(), pair.tolerance(), pair.error()}, active.open);
  // A touch that does not count, since the two only move apart from how they started.
  if (test.touches) return false;
  active.open = test.pending;
  active.span.lo = std::max(active.span.lo, now() + test.step);
  return !test.pending || active.span.lo > active.span.hi;
}

/// Any contact will do: triangles that come closer are tried a little later, where they may well
/// touch. Nothing is known about the time between.
bool Simultaneous::probe(const ActiveTriangles& active, double time) {
  if (!(time < std::min(setting_->options.cutoff, 1.0))) return false;
  ++found_->contact.stats.elementary_tests;
  const MovingPair& pair = pairs_.bodies(active.candidate).pair();
  const LeafApproach leaf = approach_leaves(pair, pair.state(time, time), active.a, active.b);
  if (leaf.touches) touch(active, time, leaf.triangles);
  return leaf.touches;
}

void Simultaneous::touch(const ActiveTriangles& active, double time,
                         const TriangleApproach& triangles) {
  record(found_->contact, time, active.a, active.b, triangles);
  found_->contact.safe_until = now();
  const RobotPair& bodies = pairs_.bodies(active.candidate);
  name_contact(*setting_, bodies.candidate(), bodies.pair(), *found_);
}

/// Windows for what stays active: from its earliest to its latest time, in two halves unless that
/// is much shorter than the window before.
void Simultaneous::go_on() {
  if (nodes_left_.empty() && triangles_left_.empty()) return;
  const Interval& window = pairs_.window();
  Interval left{window.hi, window.lo};
  for (const ActiveNodes& active : nodes_left_) left = hull(left, active.span);
  for (const ActiveTriangles& active : triangles_left_) left = hull(left, active.span);
  if (left.hi - left.lo <= (window.hi - window.lo) / 2) return push(left);
  ++found_->contact.stats.subdivisions;
  const double mid = middle(left);
  push({mid, left.hi});
  push({left.lo, mid});
}

void Simultaneous::push(const Interval& time) {
  windows_.push_back({time, nodes_.size(), triangles_.size()});
  const auto meets = [&](const auto& active) {
    return active.span.lo <= time.hi && active.span.hi >= time.lo;
  };
  std::copy_if(nodes_left_.begin(), nodes_left_.end(), std::back_inserter(nodes_), meets);
  std::copy_if(triangles_left_.begin(), triangles_left_.end(), std::back_inserter(triangles_),
               meets);
}

}  // namespace toccata
