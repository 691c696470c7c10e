// Tests of node pairs and triangles in a window, and the choice of the next windows.
#include "toccata/query/robot_first_contact/simultaneous.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/query/setting/start.hpp"

namespace toccata {
namespace {

/// Returns whether the window is too long for two boxes: their relative path exceeds the smaller
/// box. They are then tested again in a shorter window, triangles included, because a test of eight
/// boxes costs only as much as one pair of triangles.
///
/// Redon et al. 2002 compare with the extents of both boxes (k). The smaller box is better, because
/// a floor or a wire is large however finely the link beside it is split. Paths below the
/// tolerance, or below a small part of the larger box, need no shorter window, even if the smaller
/// box is a point.
bool is_too_long(const BoxMeeting& meeting, int lane, double tolerance) {
  constexpr float small_part = 0x1p-8f;
  return meeting.path[lane] > std::max({meeting.smaller[lane], small_part * meeting.larger[lane],
                                        static_cast<float>(tolerance)});
}

/// Share of the window for which a fixed direction must keep triangles apart before the equations
/// are tested, because they cost several times as much. Testing them for all triangles doubles the
/// time of colliding motions, measured on arms among pipes and wires.
constexpr double equations_beyond = 0.8;

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
  // Windows are visited in the order of time, so nothing touches before this window.
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
  // Triangles follow, because their motions are expanded about another time: the window's start.
  for (std::size_t i = window.triangles; i < triangles_.size() && is_open(); ++i)
    solve(triangles_[i]);
  for (std::size_t i = 0; i < triangles_found_.size() && is_open(); ++i) solve(triangles_found_[i]);
}

/// Tests siblings, and descends as far as the window is short enough.
void Simultaneous::walk(PendingNodes pending) {
  if (!pairs_.clip(pending.candidate, pending.span)) return;
  if (!pairs_.is_fine(pending.candidate)) return nodes_left_.push_back(pending);
  below_.assign(1, pending);
  while (!below_.empty() && spend()) {
    const PendingNodes next = below_.back();
    below_.pop_back();
    test(next);
  }
}

void Simultaneous::test(const PendingNodes& pending) {
  const WindowView& view = pairs_.view(pending.candidate);
  const MovingPair& pair = pairs_.bodies(pending.candidate).pair();
  const Siblings& siblings = pending.nodes;
  const Bvh &a = pair.mesh_a().bvh(), &b = pair.mesh_b().bvh();
  const BoxLanes split = all_lanes((siblings.of_a ? a : b).nodes[siblings.parent]);
  const BoxLanes other =
      one_lane((siblings.of_a ? b : a).nodes[siblings.other.node()], siblings.other.lane());
  const bool split_is_x = siblings.of_a == pairs_.a_is_x(pending.candidate);
  found_->contact.stats.bv_tests += std::popcount(pending.lanes);
  sort_out(pending,
           meet(split_is_x ? split : other, split_is_x ? other : split, view.motion, view.box));
}

/// Excludes each lane, descends from it, or leaves it for a shorter window.
void Simultaneous::sort_out(const PendingNodes& pending, const BoxMeeting& meeting) {
  const Interval& window = pairs_.window();
  const double mid = middle(window), half = pairs_.view(pending.candidate).box.half;
  const double tolerance = pairs_.bodies(pending.candidate).pair().tolerance();
  PendingNodes later = pending;
  later.lanes = 0;
  later.span = {window.hi, window.lo};
  for_lanes(pending.lanes, [&](int lane) {
    const float from = meeting.from[lane], to = meeting.to[lane];
    Interval span{std::max(pending.span.lo, mid + half * from),
                  std::min(pending.span.hi, mid + half * to)};
    if (from > to || !pairs_.clip(pending.candidate, span)) {
      ++found_->contact.stats.front_nodes;
      return;
    }
    // A lane that can touch only in the second half may never need a test.
    if (!is_too_long(meeting, lane, tolerance) && !(span.lo > mid))
      return go_down(pending, lane, span);
    later.lanes |= 1u << lane;
    later.span = hull(later.span, span);
  });
  if (later.lanes) nodes_left_.push_back(later);
}

void Simultaneous::go_down(const PendingNodes& pending, int lane, const Interval& span) {
  const MovingPair& pair = pairs_.bodies(pending.candidate).pair();
  const NodePair nodes = pending.nodes.child(lane);
  if (are_leaves(pair, nodes)) {
    const Index a = element(pair.mesh_a().bvh().child(nodes.a));
    const Index b = element(pair.mesh_b().bvh().child(nodes.b));
    triangles_found_.push_back({pending.candidate, a, b, all_features, span});
  } else {
    const Expansion<VolumeKind::box> expansion(pair, nodes);
    below_.push_back({pending.candidate, expansion.siblings(), expansion.used(), span});
  }
}

/// Tests two triangles in the window: they touch at its start, are excluded, or stay pending.
void Simultaneous::solve(PendingTriangles pending) {
  if (!pairs_.clip(pending.candidate, pending.span)) return;
  if (pending.span.lo > middle(pairs_.window())) return triangles_left_.push_back(pending);
  if (!spend()) return;
  const RobotPair& bodies = pairs_.bodies(pending.candidate);
  ++found_->contact.stats.elementary_tests;
  const LeafApproach leaf =
      approach_leaves(bodies.pair(), pairs_.state(pending.candidate), pending.a, pending.b);
  if (leaf.touches) return touch(pending, now(), leaf.triangles);
  if (bodies.is_at_rest() && leaf.step > 0) return;
  pending.span.lo = std::max(pending.span.lo, now() + leaf.step);
  if (pending.span.lo > pending.span.hi) return;
  if (any_ && probe(pending, now() + 2 * leaf.step)) return;
  const bool stuck = !(pending.span.lo > now());
  const bool nearly_done = leaf.step > equations_beyond * (pending.span.hi - now());
  if ((stuck || nearly_done) && exclude(pending)) return;
  // No proof advances, and the triangles do not touch.
  if (!(pending.span.lo > now())) return found_->contact.give_up(now());
  triangles_left_.push_back(pending);
}

/// Tests the equations over the rest of the window. Returns true if none can vanish in it.
bool Simultaneous::exclude(PendingTriangles& pending) {
  const MovingPair& pair = pairs_.bodies(pending.candidate).pair();
  // Curved surfaces have no vertices and edges, so only the approach of their cells is tested.
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) return false;
  const Triangle a = about(pair.mesh_a().center(), pair.mesh_a().triangle(pending.a));
  const Triangle b = about(pair.mesh_b().center(), pair.mesh_b().triangle(pending.b));
  const bool a_is_x = pairs_.a_is_x(pending.candidate);
  found_->contact.stats.elementary_tests += std::popcount(pending.features);
  const FeatureTest test = test_features(
      {a_is_x ? a : b, a_is_x ? b : a}, pairs_.motion(pending.candidate), pending.span.hi - now(),
      {pair.separation(), pair.tolerance(), pair.error()}, pending.features);
  // A contact that does not count, because the triangles separate from their start.
  if (test.touches) return false;
  pending.features = test.pending;
  pending.span.lo = std::max(pending.span.lo, now() + test.step);
  return !test.pending || pending.span.lo > pending.span.hi;
}

/// Tests two triangles at a later time, at which they are likely to touch. Proves a contact, but no
/// freedom. For queries that accept any contact.
bool Simultaneous::probe(const PendingTriangles& pending, double time) {
  if (!(time < std::min(setting_->options.cutoff, 1.0))) return false;
  ++found_->contact.stats.elementary_tests;
  const MovingPair& pair = pairs_.bodies(pending.candidate).pair();
  const LeafApproach leaf = approach_leaves(pair, pair.state(time, time), pending.a, pending.b);
  if (leaf.touches) touch(pending, time, leaf.triangles);
  return leaf.touches;
}

void Simultaneous::touch(const PendingTriangles& pending, double time,
                         const TriangleApproach& triangles) {
  record(found_->contact, time, pending.a, pending.b, triangles);
  found_->contact.safe_until = now();
  const RobotPair& bodies = pairs_.bodies(pending.candidate);
  name_contact(*setting_, bodies.candidate(), bodies.pair(), *found_);
}

/// Pushes windows for the pairs that stay pending, from their earliest to their latest time: a
/// single window if it is at most half as long as the last window, else two halves.
void Simultaneous::go_on() {
  if (nodes_left_.empty() && triangles_left_.empty()) return;
  const Interval& window = pairs_.window();
  Interval left{window.hi, window.lo};
  for (const PendingNodes& pending : nodes_left_) left = hull(left, pending.span);
  for (const PendingTriangles& pending : triangles_left_) left = hull(left, pending.span);
  if (left.hi - left.lo <= (window.hi - window.lo) / 2) return push(left);
  ++found_->contact.stats.subdivisions;
  const double mid = middle(left);
  push({mid, left.hi});
  push({left.lo, mid});
}

void Simultaneous::push(const Interval& time) {
  windows_.push_back({time, nodes_.size(), triangles_.size()});
  const auto meets = [&](const auto& pending) {
    return pending.span.lo <= time.hi && pending.span.hi >= time.lo;
  };
  std::copy_if(nodes_left_.begin(), nodes_left_.end(), std::back_inserter(nodes_), meets);
  std::copy_if(triangles_left_.begin(), triangles_left_.end(), std::back_inserter(triangles_),
               meets);
}

}  // namespace toccata
