// Depth-first search for the closest triangles, in rounds of decreasing improvements.
#include "toccata/walk/distance.hpp"

#include <algorithm>
#include <array>

#include "toccata/base/interruption.hpp"
#include "toccata/base/of_thread.hpp"
#include "toccata/narrow/advancement/triangle_approach.hpp"
#include "toccata/narrow/features/near.hpp"
#include "toccata/walk/gaps.hpp"
#include "toccata/walk/instant.hpp"
#include "toccata/walk/overlap.hpp"

namespace toccata {
namespace {

/// Smallest improvement of the distance for which a node pair is visited in each round, as a share
/// of the radius of the smaller body. Chosen by measurements on the benchmark's models, at all
/// distances.
constexpr std::array gains{0.05, 0.01, 0.0};

/// Node pairs to visit in this round and in the next one. Reuses its buffers across queries.
struct Waiting {
  std::vector<InstantTask> now, later;
};

/// A search for the closest triangles.
///
/// The lower bound is certified: a node pair is dropped only if its gap is at least the smallest
/// distance found so far, or at least the limit. The distance is therefore at least the limit, or
/// at least the smallest lower bound of the visited triangles.
///
/// Node pairs that can improve the result only slightly are postponed to a later round. A closer
/// pair often excludes them before.
class Closer {
 public:
  Closer(const MovingPair& pair, const PairState& state, double limit)
      : pair_(pair),
        state_(state),
        seen_{pair.relative(state, false), pair.relative(state, true)},
        limit_(limit),
        beyond_(limit),
        waiting_(of_thread<Waiting>()) {}

  Distance run() {
    const double size = std::min(pair_.mesh_a().radius(), pair_.mesh_b().radius());
    waiting_.later.assign(1, InstantTask{-INFINITY, 0, root_pair()});
    for (const double gain : gains) {
      gain_ = gain * size;
      take_over();
      if (!walk_instant(pair_, waiting_.now, *this)) break;
    }
    return answer();
  }

  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) const {
    return {gaps_of(expansion, seen_[expansion.siblings().of_a], beyond_), Pack{}};
  }
  bool keeps(const InstantTask& task) { return !is_far(task) && !has_to_wait(task); }
  bool wants(const InstantTask& task) { return keeps(task); }
  bool spend() {
    interruption_point(++steps_);
    return true;
  }
  bool visit(const InstantTask& task, Index a, Index b) {
    if (task.gap <= 0 && meet(a, b)) return false;
    const Corners x = state_.a.motion.pose * corners_of(pair_.mesh_a().triangle(a));
    const Corners y = state_.b.motion.pose * corners_of(pair_.mesh_b().triangle(b));
    const Closest closest = closest_features(x, y);
    best_.lower = std::min(best_.lower, gap(closest, x, y, a, b));
    if (closest.distance < best_.closest.distance) {
      best_.closest = closest;
      best_.element_a = a, best_.element_b = b;
      beyond_ = std::min(beyond_, closest.distance);
    }
    return true;
  }

 private:
  bool is_far(const InstantTask& task) const { return task.gap >= beyond_; }
  bool has_to_wait(const InstantTask& task) {
    if (!(task.gap >= beyond_ - gain_)) return false;
    waiting_.later.push_back(task);
    return true;
  }
  /// Moves the postponed node pairs to the stack, the nearest on top.
  void take_over() {
    auto& [now, later] = waiting_;
    now.clear();
    for (const InstantTask& task : later)
      if (!is_far(task)) now.push_back(task);
    later.clear();
    std::stable_sort(now.begin(), now.end(),
                     [](const InstantTask& s, const InstantTask& t) { return s.gap > t.gap; });
  }

  /// Returns whether two triangles intersect by more than rounding, which ends the search.
  bool meet(Index a, Index b) {
    const FaceFeatures none{};
    const PlacedTriangle on_a(pair_.mesh_a().triangle(a), state_.a.motion.pose, none);
    const PlacedTriangle on_b(pair_.mesh_b().triangle(b), state_.b.motion.pose, none);
    Vec3d where{};
    if (!pass_through(on_a, on_b, 4 * pair_.error(), where)) return false;
    best_ = {0, 0, a, b, {where, where, 0, Feature::none}};
    return true;
  }

  /// Bounds the distance of two triangles from below, up to rounding, by their gap along the line
  /// of their closest points. Every direction gives a valid bound. If rounding has rotated a short
  /// line too much, other directions are tested.
  double gap(const Closest& closest, const Corners& x, const Corners& y, Index a, Index b) const {
    const Vec3d n = unit_or_zero(closest.point_a - closest.point_b);
    const double found = least_of(dot(x, n)) + least_of(-dot(y, n));
    const double enough = std::max(4 * pair_.error(), 0x1p-30 * closest.distance);
    if (found >= closest.distance - enough || found >= beyond_) return found;
    const Triangle on_a = pair_.mesh_a().triangle(a), on_b = pair_.mesh_b().triangle(b);
    const MovingTriangle moving_a{on_a, state_.a.motion}, moving_b{on_b, state_.b.motion};
    const TriangleApproach better = approach(moving_a, moving_b, 0, pair_.error(), pair_.error());
    return std::max(found, better.gap);
  }

  /// Returns the result. The bounds of triangles include the rounding error of the pair. The limit
  /// does not, because the gaps of dropped node pairs are rounded down
  /// (`RelativeState::gap_slack`).
  Distance answer() const {
    Distance found = best_;
    const Closest& closest = found.closest;
    found.lower = std::max(0.0, std::min(limit_, found.lower - pair_.error()));
    if (!(closest.distance < limit_)) return beyond_limit(found.lower);
    if (closest.feature != Feature::none) found.upper = closest.distance + pair_.error();
    if (closest.distance > pair_.error())
      found.normal = (closest.point_a - closest.point_b) * (1 / closest.distance);
    return found;
  }

  const MovingPair& pair_;
  const PairState& state_;
  std::array<RelativeState, 2> seen_;
  Distance best_ = beyond_limit(infinity);
  double limit_;
  double beyond_;  // node pairs with a gap of at least this are dropped
  double gain_ = 0;
  Count steps_ = 0;
  Waiting& waiting_;
};

}  // namespace

Distance surface_distance(const MovingPair& pair, const PairState& state, double limit) {
  return Closer(pair, state, limit).run();
}

Distance least_distance(const MovingPair& pair, const PairState& state, double limit) {
  Distance found = surface_distance(pair, state, limit);
  if (found.lower > 0) return starts_inside(pair, 1) ? Distance{} : found;
  if (found.element_a >= 0 && found.upper > 0 && surfaces_meet(pair, state)) {
    const Vec3d where = (found.closest.point_a + found.closest.point_b) * 0.5;
    found = {0, 0, found.element_a, found.element_b, {where, where, 0, Feature::none}};
  }
  return found;
}

}  // namespace toccata
