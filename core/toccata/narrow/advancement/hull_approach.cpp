// Bounds of the closing speed of hulls, and search for separating directions.
#include "toccata/narrow/advancement/hull_approach.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {
namespace {

/// A bound rate * t + bend * t^2 of the closing of a gap along one direction.
struct HullClosing {
  double rate, bend;
};

/// Bounds the contribution of the motion of one hull against direction n. Velocities are linear in
/// the point and acceleration bounds are convex, so both are largest at a corner, up to the margin.
HullClosing closing_along(const Vec3d& n, const MovingHull& hull) {
  const MotionState& state = hull.state;
  const Vec3d pivot = state.pose * state.pivot;
  const Vec3d turn = cross(state.spin, n);  // n . (spin x r) = -turn . r
  const double margin = hull.world.radius;
  double first = -infinity, second = 0, reach = 0;
  for (const Vec3d& corner : hull.world.corner) {
    const Vec3d arm = corner - pivot;
    first = std::max(first, dot(turn, arm));
    second = std::max(second,
                      state.turning * norm(arm) + state.spin_speed * norm(cross(state.spin, arm)));
    reach = std::max(reach, norm1(corner));
  }
  const double spin = norm(state.spin);
  const double rounding = 0x1p-44 * (norm(state.velocity) + spin * (reach + norm1(pivot)));
  second += state.acceleration + (state.turning + state.spin_speed * spin) * margin;
  return {first - dot(n, state.velocity) + norm(turn) * margin + rounding,
          0.5 * second * (1 + 0x1p-40)};
}

HullClosing closing_along(const Vec3d& n, const MovingHull& a, const MovingHull& b) {
  const HullClosing x = closing_along(n, a), y = closing_along(-n, b);
  return {x.rate + y.rate, x.bend + y.bend};
}

/// Calls `offer(n)` with the directions that can separate touching hulls: normals of their faces
/// and common normals of their edges, in both signs.
template <class Offer>
void for_directions(const Hull& a, const Hull& b, const Offer& offer) {
  const auto offer_both = [&](const Vec3d& v) {
    const double length = norm(v);
    if (!(length > 0)) return;
    offer(v * (1 / length));
    offer(v * (-1 / length));
  };
  constexpr int ends[5][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 2}};
  const auto edge = [&](const Hull& hull, int k) {
    return hull.corner[ends[k][1]] - hull.corner[ends[k][0]];
  };
  for (const Hull* hull : {&a, &b}) {
    offer_both(cross(edge(*hull, 0), edge(*hull, 1)));
    offer_both(cross(edge(*hull, 4), hull->corner[3] - hull->corner[0]));
  }
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) offer_both(cross(edge(a, i), edge(b, j)));
}

}  // namespace

double free_time(const MovingHull& a, const MovingHull& b, const Vec3d& n, double room) {
  if (!(room > 0)) return 0;
  const auto [rate, bend] = closing_along(n, a, b);
  const double time = time_to_use_up(room, rate, bend) * (1 - 0x1p-40);
  // Overflow may leave a NaN. Then there is no advance.
  return time > 0 ? time : 0;
}

Vec3d widest_direction(const Hull& a, const Hull& b) {
  Vec3d best = separate(a, b, {}).normal;
  double widest = gap_along(best, a, b);
  for_directions(a, b, [&](const Vec3d& n) {
    const double gap = gap_along(n, a, b);
    if (gap > widest) widest = gap, best = n;
  });
  return best;
}

double release_time(const CarriedHull& a, const CarriedHull& b, const TouchLimits& touch,
                    double start_distance, double now) {
  const Hull world_a = a.motion.pose(0) * a.body, world_b = b.motion.pose(0) * b.body;
  const HullGap start = separate(world_a, world_b, {});
  if (start.gap > touch.distance) return 0;
  TouchLimits own = touch;
  const double apart = std::min(std::max(start.gap, 0.0), start_distance);
  const double margins = 2 * (a.body.radius + b.body.radius);
  own.gap = std::max(own.gap, apart - margins - touch.rounding());
  Parting best;
  const auto offer = [&](const Vec3d& n) {
    const Parting found = parting_along(n, a, b, own);
    if (now < found.time) best = better(best, found);
  };
  offer(start.normal);
  for_directions(world_a, world_b, offer);
  return best.time;
}

}  // namespace toccata
