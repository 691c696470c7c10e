// Conservative advancement of two triangles, with searches for better directions if the line of
// closest points is inaccurate.
#include "toccata/narrow/advancement/triangle_approach.hpp"

#include <algorithm>

#include "toccata/math/twofold.hpp"

namespace toccata {
namespace {

/// A triangle and a direction n. Corner i, now at height[i] along n, falls by at most first t +
/// second t^2 / 2 + third t^3 / 6.
struct Falling {
  Quad height, first, second, third;
};

bool turns(const MotionState& state) { return state.spin_speed > 0 || state.turning > 0; }

Falling falling(const Vec3d& n, const Corners& world, const MotionState& state) {
  const Quad zero{};
  Falling fall{dot(world, n), zero - dot(n, state.velocity), zero + state.acceleration, zero};
  if (!turns(state)) return fall;
  const Vec3d turn = cross(state.spin, n);  // n . (spin x r) = -turn . r
  const Corners arm = world - state.pose * state.pivot, swing = cross(state.spin, arm);
  fall.first += dot(arm, turn);
  // With constant spin, points accelerate towards the axis, and the component along n is known to
  // first order. Otherwise spin_speed is zero, and `turning` bounds the whole acceleration.
  if (state.turning > 0) fall.second += state.turning * sqrt(dot(arm, arm));
  if (state.spin_speed > 0) {
    fall.second += dot(swing, turn);
    fall.third = norm(turn) * state.spin_speed * sqrt(dot(swing, swing));
  }
  return fall;
}

/// Returns the gap of two triangles along the direction for which `a` was computed; `b` was
/// computed for the opposite direction. Negative unless the direction separates the triangles.
double gap_between(const Falling& a, const Falling& b) {
  return least_of(a.height) + least_of(b.height);
}

/// Calls `offer(n)` with every direction that can separate two triangles if the line of closest
/// points is too short or inaccurate: face normals, cross products of edges, and edge normals
/// within the faces.
///
/// The cross product of nearly parallel edges loses digits, so it is computed in twofold precision.
/// The edges are exact, and a component u v - w x of a product errs by less than 2^-102 (|u v| + |w
/// x|): 2^-103 from the products and 2^-104 from the difference. The components of n then err by
/// less than 2^-51 of their size, like those of any direction that is rounded and divided by its
/// length. Scaling keeps all numbers in range. If an edge overflows nevertheless, so would a gap.
template <class Offer>
void for_directions(const Triangle& a, const Triangle& b, const Offer& offer) {
  const auto offer_both = [&](const Vec3t& v) {
    const Vec3d direction = rounded(scaled(v));
    const double length = norm(direction);
    if (!(length > 0)) return;
    const Vec3d n{direction.x / length, direction.y / length, direction.z / length};
    offer(n);
    offer(-n);
  };
  Vec3t edge_a[3], edge_b[3];
  for (int i = 0; i < 3; ++i) {
    edge_a[i] = scaled(exact_difference(a.corner[(i + 1) % 3], a.corner[i]));
    edge_b[i] = scaled(exact_difference(b.corner[(i + 1) % 3], b.corner[i]));
  }
  const Vec3t normal_a = scaled(cross(edge_a[0], edge_a[1]));
  const Vec3t normal_b = scaled(cross(edge_b[0], edge_b[1]));
  offer_both(normal_a);
  offer_both(normal_b);
  for (int i = 0; i < 3; ++i) {
    offer_both(cross(edge_a[i], normal_a));
    offer_both(cross(edge_b[i], normal_b));
    for (int j = 0; j < 3; ++j) offer_both(cross(edge_a[i], edge_b[j]));
  }
}

/// Calls `offer(n)` with the line of closest points made perpendicular to each edge. Rounding of a
/// short line reduces the gap most by the component along the edges. Segments have no plane and
/// only these directions.
template <class Offer>
void for_across(const Triangle& a, const Triangle& b, const Vec3d& line, const Offer& offer) {
  for (const Triangle* triangle : {&a, &b})
    for (int i = 0; i < 3; ++i) {
      const Vec3d edge = triangle->corner[(i + 1) % 3] - triangle->corner[i];
      const Vec3d across = line - edge * (dot(line, edge) / norm2(edge));
      // The result is not finite for an edge of length 0, or without a line.
      if (is_finite(across) && norm2(across) > 0) offer(unit(across));
    }
}

/// A bound rate * t + bend * t^2 of the closing of a gap along one direction, for t up to
/// `longest_advance`.
struct Closing {
  Quad rate, bend;
  double longest_advance;
};

/// Computes the bound for each corner of a with the corners of b. All lanes of `b` are equal: one
/// corner, or the worst case of all. The error of a distance also bounds 2^-48 of all speeds
/// (`MovingPair`), and thereby the rounding here.
Closing closing(const Falling& a, const Falling& b, double spin, double error) {
  const double slack = 4 * error;
  // For t up to `longest`, third t^3 / 6 is at most (longest / 6) third t^2.
  const double longest = longest_advance(spin);
  const Quad bend = 0.5 * (a.second + b.second) + longest / 6 * (a.third + b.third) + slack * spin;
  return {a.first + b.first + slack, max(bend, Quad{}) * (1 + 0x1p-40), longest};
}

/// Returns a corner at the height of the lowest one that falls as fast as the fastest.
Falling worst(const Falling& f) {
  const auto all = [](double x) { return Quad{} + x; };
  return {all(least_of(f.height)), all(largest_of(f.first)), all(largest_of(f.second)),
          all(largest_of(f.third))};
}

Falling one(const Falling& f, int k) {
  const auto all = [](double x) { return Quad{} + x; };
  return {all(f.height[k]), all(f.first[k]), all(f.second[k]), all(f.third[k])};
}

/// Returns a time for which the triangles stay apart by more than `distance`. Bounds each corner
/// separately, because a distant corner may move fast.
double step_along(const Falling& a, const Falling& b, bool b_turns, double spin, double distance,
                  double error) {
  Quad step = Quad{} + longest_advance(spin);
  for (int k = 0; k < (b_turns ? 3 : 1); ++k) {
    const Falling other = b_turns ? one(b, k) : worst(b);
    const Closing c = closing(a, other, spin, error);
    const Quad room = a.height + other.height - distance;
    step = min(step, time_to_use_up(room, c.rate, c.bend) * (1 - 0x1p-40));
  }
  return least_of(step);
}

constexpr double short_step = 0x1p-12;

/// Returns whether the gap at the closest points closes much slower than the bound along a fixed
/// direction. If so, a rotating direction is worth its cost.
bool is_pessimistic(const TriangleApproach& at, const MotionState& a, const MotionState& b,
                    double rate) {
  const double closing = dot(at.normal, velocity_at(b, at.closest.point_b)) -
                         dot(at.normal, velocity_at(a, at.closest.point_a));
  return rate > 0 && !(closing > 0.7 * rate);
}

/// Searches for a better direction, if the triangles are so close or so thin that the line of
/// closest points is inaccurate, or if they intersect.
void search_directions(const Corners& a, const Corners& b, TriangleApproach& result) {
  const Triangle triangle_a = triangle_of(a), triangle_b = triangle_of(b);
  if (std::isnan(result.gap)) result.gap = -infinity;
  const auto offer = [&](const Vec3d& n) {
    const double gap = least_of(dot(a, n)) + least_of(dot(b, -n));
    if (gap > result.gap) result.gap = gap, result.normal = n;
  };
  for_across(triangle_a, triangle_b, result.normal, offer);
  for_directions(triangle_a, triangle_b, offer);
  Vec3d where{};
  if (!(result.gap > 0) && intersect(triangle_a, triangle_b, where))
    result.closest = {where, where, 0, Feature::none};
}

/// Returns whether triangles intersect by more than `rounding`, so that no direction separates
/// them.
bool are_crossing(const Triangle& a, const Triangle& b, const Closest& closest, double rounding) {
  if (closest.distance > rounding) return false;
  double widest = -infinity;
  for_directions(a, b, [&](const Vec3d& n) {
    widest = std::max(widest, gap_along(n, hull_of(a), hull_of(b)));
  });
  return widest < -rounding;
}

}  // namespace

Vec3d unit_normal(const Triangle& triangle) {
  const auto& [a, b, c] = triangle.corner;
  const Vec3t u = scaled(exact_difference(b, a)), v = scaled(exact_difference(c, b));
  return unit(rounded(scaled(cross(u, v))));
}

TriangleApproach approach(const MovingTriangle& a, const MovingTriangle& b, double separation,
                          double error, double enough) {
  const Corners world_a = a.state.pose * corners_of(a.body);
  const Corners world_b = b.state.pose * corners_of(b.body);
  TriangleApproach result{closest_features(world_a, world_b), {}, 0, 0};
  const Vec3d line = result.closest.point_a - result.closest.point_b;
  result.normal = line * (1 / result.closest.distance);
  Falling fall_a = falling(result.normal, world_a, a.state);
  Falling fall_b = falling(-result.normal, world_b, b.state);
  result.gap = gap_between(fall_a, fall_b);
  if (!(result.gap >= result.closest.distance - enough)) {
    search_directions(world_a, world_b, result);
    fall_a = falling(result.normal, world_a, a.state);
    fall_b = falling(-result.normal, world_b, b.state);
  }
  const double spin = a.state.spin_speed + b.state.spin_speed, distance = separation + error;
  result.step = step_along(fall_a, fall_b, turns(b.state), spin, distance, error);
  // The search is worth its cost only if many short advances are likely.
  const double rate = largest_of(fall_a.first) + largest_of(fall_b.first);
  if (result.step < short_step && result.gap > distance &&
      is_pessimistic(result, a.state, b.state, rate))
    result.step = std::max(result.step, rotating_step(result, triangle_of(world_a), a.state,
                                                      triangle_of(world_b), b.state, distance) *
                                            (1 - 0x1p-40));
  // Overflow may leave a NaN. Then there is no advance.
  if (!(result.step > 0)) result.step = 0;
  return result;
}

double release_time(const CarriedTriangle& a, const CarriedTriangle& b, const TouchLimits& touch,
                    const StartGap& start, double now) {
  const Triangle world_a = a.motion.pose(0) * a.body, world_b = b.motion.pose(0) * b.body;
  const CarriedHull hull_a{hull_of(a.body), a.motion}, hull_b{hull_of(b.body), b.motion};
  const Closest closest = closest_points(world_a, world_b);
  TouchLimits own = touch;
  if (!are_crossing(world_a, world_b, closest, touch.rounding()))
    own.gap = start.distance - touch.rounding();
  Parting best;
  const auto take = [&](const Parting& found) {
    if (now < found.time) best = better(best, found);
  };
  const auto offer = [&](const Vec3d& n) { take(parting_along(n, hull_a, hull_b, own)); };
  if (closest.distance > 0) {
    const Vec3d line = (closest.point_a - closest.point_b) * (1 / closest.distance);
    offer(line);
    for_across(world_a, world_b, line, offer);
  }
  if (is_finite(start.normal)) offer(start.normal);
  for_directions(world_a, world_b, offer);
  if (b.outward) take(leaving_along(unit_normal(world_b) * b.outward, hull_a, hull_b, touch));
  if (a.outward) take(leaving_along(unit_normal(world_a) * a.outward, hull_b, hull_a, touch));
  return best.time;
}

}  // namespace toccata
