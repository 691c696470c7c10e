#include "toccata/narrow/triangle_approach.hpp"

#include <algorithm>
#include <limits>

#include "toccata/narrow/turning.hpp"

namespace toccata {
namespace {

/// Distance between the two triangles along the unit vector n: negative unless n separates them.
double gap_along(const Vec3d& n, const Triangle& a, const Triangle& b) {
  const double lo = std::min({dot(n, a.corner[0]), dot(n, a.corner[1]), dot(n, a.corner[2])});
  const double hi = std::max({dot(n, b.corner[0]), dot(n, b.corner[1]), dot(n, b.corner[2])});
  return lo - hi;
}

/// How a triangle moves against direction n: at most first t + second t^2 / 2 + third t^3 / 6.
struct Rate {
  double first = -std::numeric_limits<double>::infinity(), second = first, third = 0;
};

Rate rate_along(const Vec3d& n, const Triangle& world, const MotionState& state) {
  if (!(state.spin_speed > 0 || state.turning > 0))
    return {-dot(n, state.velocity), state.acceleration, 0};
  const Vec3d pivot = state.pose * state.pivot;
  const Vec3d turn = cross(state.spin, n);  // n . (spin x r) = -turn . r
  const double turn_speed = norm(turn);
  Rate rate;
  for (const Vec3d& corner : world.corner) {
    const Vec3d arm = corner - pivot, swing = cross(state.spin, arm);
    rate.first = std::max(rate.first, dot(turn, arm));
    // Constant spin draws a point to the axis, which is known to first order. Otherwise spin_speed
    // is zero and `turning` bounds all of it.
    double second = state.turning > 0 ? state.turning * norm(arm) : 0;
    if (state.spin_speed > 0) {
      second += dot(turn, swing);
      rate.third = std::max(rate.third, turn_speed * state.spin_speed * norm(swing));
    }
    rate.second = std::max(rate.second, second);
  }
  rate.first -= dot(n, state.velocity);
  rate.second += state.acceleration;
  return rate;
}

/// Calls `offer(n)` with every direction that can separate two triangles when the line of closest
/// points is too short or too rounded to tell: face normals, cross products of edges, and edge
/// normals within the faces. In extended precision where the platform has it: the cross product of
/// nearly parallel edges loses as many digits as they are parallel.
template <class Offer>
void for_directions(const Triangle& a, const Triangle& b, const Offer& offer) {
  using Wide = Vec3<long double>;
  const auto wide = [](const Vec3d& v) { return Wide{v.x, v.y, v.z}; };
  const auto offer_both = [&](const Wide& v) {
    const long double length = std::sqrt(dot(v, v));
    if (!(length > 0)) return;
    const Vec3d n{static_cast<double>(v.x / length), static_cast<double>(v.y / length),
                  static_cast<double>(v.z / length)};
    offer(n);
    offer(-n);
  };
  Wide edge_a[3], edge_b[3];
  for (int i = 0; i < 3; ++i) {
    edge_a[i] = wide(a.corner[(i + 1) % 3]) - wide(a.corner[i]);
    edge_b[i] = wide(b.corner[(i + 1) % 3]) - wide(b.corner[i]);
  }
  const Wide normal_a = cross(edge_a[0], edge_a[1]), normal_b = cross(edge_b[0], edge_b[1]);
  offer_both(normal_a);
  offer_both(normal_b);
  for (int i = 0; i < 3; ++i) {
    offer_both(cross(edge_a[i], normal_a));
    offer_both(cross(edge_b[i], normal_b));
    for (int j = 0; j < 3; ++j) offer_both(cross(edge_a[i], edge_b[j]));
  }
}

/// How fast a gap along one direction can close: rate * t + bend * t^2 for t up to `horizon`.
struct Closing {
  double rate, bend, horizon;
};

/// The error of a distance bounds 2^-48 of all speeds too (`MovingPair`), and so the rounding here.
Closing closing_along(const Vec3d& n, const Triangle& world_a, const MotionState& state_a,
                      const Triangle& world_b, const MotionState& state_b, double error) {
  const Rate a = rate_along(n, world_a, state_a), b = rate_along(-n, world_b, state_b);
  const double slack = 4 * error;
  // Up to `horizon` the cubic term is below the square of its value there.
  const double spin = state_a.spin_speed + state_b.spin_speed;
  const double horizon = spin > 1 ? 1 / spin : 1;
  const double bend = 0.5 * (a.second + b.second) + horizon / 6 * (a.third + b.third);
  return {a.first + b.first + slack, std::max(bend + slack * spin, 0.0) * (1 + 0x1p-40), horizon};
}

constexpr double short_step = 0x1p-12;

/// Whether the gap closes much slower where the triangles are closest than the bound along a fixed
/// direction says: then it is worth to look for a direction that turns.
bool is_pessimistic(const TriangleApproach& at, const MotionState& a, const MotionState& b,
                    double rate) {
  const double closing = dot(at.normal, velocity_at(b, at.closest.point_b)) -
                         dot(at.normal, velocity_at(a, at.closest.point_a));
  return rate > 0 && !(closing > 0.7 * rate);
}

/// For triangles so close, so thin or so entangled that the line of closest points says little.
void look_closer(const Triangle& a, const Triangle& b, TriangleApproach& result) {
  if (std::isnan(result.gap)) result.gap = -std::numeric_limits<double>::infinity();
  for_directions(a, b, [&](const Vec3d& n) {
    const double gap = gap_along(n, a, b);
    if (gap > result.gap) result.gap = gap, result.normal = n;
  });
  Vec3d where{};
  if (!(result.gap > 0) && intersect(a, b, where)) result.closest = {where, where, 0, Feature::none};
}

}  // namespace

TriangleApproach approach(const MovingTriangle& a, const MovingTriangle& b, double separation,
                          double error, double enough) {
  const Triangle world_a = a.state.pose * a.body, world_b = b.state.pose * b.body;
  TriangleApproach result{closest_features(world_a, world_b), {}, 0, 0};
  const Vec3d line = result.closest.point_a - result.closest.point_b;
  result.normal = line * (1 / result.closest.distance);
  result.gap = gap_along(result.normal, world_a, world_b);
  if (!(result.gap >= result.closest.distance - enough)) look_closer(world_a, world_b, result);
  const Closing closing = closing_along(result.normal, world_a, a.state, world_b, b.state, error);
  const double room = result.gap - error - separation;
  result.step = time_to_use_up(room, closing.rate, closing.bend) * (1 - 0x1p-40);
  result.step = std::min(result.step, closing.horizon);
  // Worth its price only where many small steps threaten.
  if (result.step < short_step && room > 0 && is_pessimistic(result, a.state, b.state, closing.rate))
    result.step = std::max(
        result.step, turning_step(result, world_a, a.state, world_b, b.state, separation + error) *
                         (1 - 0x1p-40));
  // Overflow may leave a NaN: no advance then.
  if (!(result.step > 0)) result.step = 0;
  return result;
}

double release_time(const MovingTriangle& a, const MovingTriangle& b, double distance,
                    double overlap, double error) {
  const Triangle world_a = a.state.pose * a.body, world_b = b.state.pose * b.body;
  double release = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vec3d& n) {
    const double gap = gap_along(n, world_a, world_b);
    if (!(gap >= -overlap)) return;
    const Closing closing = closing_along(n, world_a, a.state, world_b, b.state, error);
    if (!(closing.rate < 0)) return;
    // The gap is at least gap + u t - bend t^2 with u = -rate; it grows until u / (2 bend).
    const double u = -closing.rate, missing = distance - gap;
    const double root2 = u * u - 4 * closing.bend * missing;
    const double time = 2 * missing / (u + std::sqrt(std::max(root2, 0.0)));
    if (root2 > 0 && time <= closing.horizon) release = std::min(release, time);
  };
  const Closest closest = closest_points(world_a, world_b);
  if (closest.distance > 0)
    offer((closest.point_a - closest.point_b) * (1 / closest.distance));
  for_directions(world_a, world_b, offer);
  // A little later, so that rounding does not leave the pair in touch.
  return release <= 1 ? release * (1 + 0x1p-20) : 0;
}

}  // namespace toccata
