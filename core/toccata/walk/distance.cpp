#include "toccata/walk/distance.hpp"

#include <algorithm>

#include "toccata/base/interruption.hpp"
#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/narrow/advancement/triangle_approach.hpp"
#include "toccata/narrow/features/near.hpp"
#include "toccata/walk/inside.hpp"
#include "toccata/walk/moment.hpp"

namespace toccata {
namespace {

/// Looks for triangles that are closer to each other than the best ones. A node pair is left only
/// if its gap is not below the distance found so far: so the lower bounds of the triangles that
/// were looked at hold for all.
class Closer {
 public:
  Closer(const MovingPair& pair, const PairState& state, double limit)
      : pair_(pair),
        state_(state),
        seen_{pair.relative(state, false), pair.relative(state, true)},
        best_{limit, infinity, -1, -1, {nowhere, nowhere, infinity, Feature::none}},
        beyond_(limit) {}

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) const {
    const Family& family = expansion.family();
    const RelativeState& seen = seen_[family.of_a];
    return {box_gap(expansion.node(), expansion.other_node(), family.other.lane(), seen) -
                seen.gap_slack,
            Pack{}};
  }
  bool keeps(const MomentTask& task) const { return !(task.gap >= beyond_); }
  bool wants(const MomentTask& task) const { return keeps(task); }
  bool spend() {
    interruption_point(++steps_);
    return true;
  }
  bool visit(const MomentTask& task, Index a, Index b) {
    const Corners x = state_.a.motion.pose * corners_of(pair_.mesh_a().triangle(a));
    const Corners y = state_.b.motion.pose * corners_of(pair_.mesh_b().triangle(b));
    if (task.gap <= 0 && meet(a, b)) return false;
    const Closest closest = closest_features(x, y);
    best_.lower = std::min(best_.lower, gap(closest, x, y, a, b));
    if (closest.distance < best_.closest.distance) {
      best_.closest = closest;
      best_.element_a = a, best_.element_b = b;
      beyond_ = std::min(beyond_, closest.distance);
    }
    return true;
  }

  /// After the walk.
  Distance answer() const {
    Distance found = best_;
    if (found.element_a < 0) return found;
    const Closest& closest = found.closest;
    if (closest.distance > 0 || closest.feature != Feature::none)
      found.upper = closest.distance + pair_.error();
    found.lower = std::max(0.0, found.lower - pair_.error());
    if (closest.distance > pair_.error())
      found.normal = (closest.point_a - closest.point_b) * (1 / closest.distance);
    return found;
  }

 private:
  /// Triangles that intersect by more than rounding can do are the end of the search.
  bool meet(Index a, Index b) {
    const FaceFeatures none{};
    const PlacedTriangle on_a(pair_.mesh_a().triangle(a), state_.a.motion.pose, none);
    const PlacedTriangle on_b(pair_.mesh_b().triangle(b), state_.b.motion.pose, none);
    Vec3d where{};
    if (!pass_through(on_a, on_b, 4 * pair_.error(), where)) return false;
    best_ = {0, 0, a, b, {where, where, 0, Feature::none}};
    return true;
  }

  /// Along the line of closest points, whatever it is worth: a lower bound of the distance, up to
  /// rounding. Where rounding has turned a short line, better directions are looked for.
  double gap(const Closest& closest, const Corners& x, const Corners& y, Index a, Index b) const {
    const Vec3d n = unit_or_zero(closest.point_a - closest.point_b);
    const double found = least_of(dot(x, n)) + least_of(-dot(y, n));
    if (found >= closest.distance - 4 * pair_.error() || found >= beyond_) return found;
    const Triangle on_a = pair_.mesh_a().triangle(a), on_b = pair_.mesh_b().triangle(b);
    const MovingTriangle moving_a{on_a, state_.a.motion}, moving_b{on_b, state_.b.motion};
    const TriangleApproach better = approach(moving_a, moving_b, 0, pair_.error(), pair_.error());
    return std::max(found, better.gap);
  }

  const MovingPair& pair_;
  const PairState& state_;
  std::array<RelativeState, 2> seen_;
  Distance best_;
  double beyond_;  // what is not nearer than this is not looked at
  Count steps_ = 0;
};

}  // namespace

Distance surface_distance(const MovingPair& pair, const PairState& state, double limit) {
  Closer policy(pair, state, limit);
  walk_moment(pair, policy);
  return policy.answer();
}

Distance least_distance(const MovingPair& pair, const PairState& state, double limit) {
  const Distance found = surface_distance(pair, state, limit);
  return found.lower > 0 && starts_inside(pair, 1) ? Distance{} : found;
}

}  // namespace toccata
