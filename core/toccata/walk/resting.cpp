// Distances at the start, and proofs that triangles stay within the tolerance.
#include "toccata/walk/resting.hpp"

#include <algorithm>

#include "toccata/walk/distance.hpp"
#include "toccata/walk/one_pair.hpp"

namespace toccata {
namespace {

// Largest relative difference between the bounds of the distance of curved surfaces, unless
// rounding is larger.
constexpr double surface_precision = 0x1p-20;

/// Bounds the distance of triangle meshes at the start. Both are 0 if they touch.
Interval start_of_triangles(const MovingPair& pair, double near) {
  const Distance found = surface_distance(pair, pair.state(0, 0), near);
  return found.closest.distance > 0 ? Interval{found.lower, found.upper} : Interval{};
}

/// Bounds the distance of curved surfaces at the start, by bisection over separations: a query
/// either proves that the distance is larger, or finds points within separation + tolerance. Both
/// bounds are 0 if nothing proves the surfaces apart.
Interval start_of_surfaces(const MovingPair& pair, double near) {
  const Motion a = Motion::fixed(pair.motion_a().pose(0));
  const Motion b = Motion::fixed(pair.motion_b().pose(0));
  Interval found{0, infinity};
  const auto test = [&](double separation, double tolerance) {
    Options options;
    options.separation = separation;
    options.tolerance = tolerance;
    const Contact answer =
        walk_pair(MovingPair({pair.mesh_a(), a}, {pair.mesh_b(), b}, options), 0);
    if (answer.status == Status::undecided) return false;
    if (answer.status == Status::free) found.lo = separation;
    else found.hi = std::min(found.hi, answer.closest.distance + pair.error());
    return true;
  };
  test(near, std::max(near / 16, 16 * pair.error()));
  if (found.hi == infinity) return found;
  for (;;) {
    const double width = found.hi - found.lo;
    const bool is_sure = found.hi <= near || found.lo >= near;
    const bool is_fine = is_sure && found.lo > 0 && width <= surface_precision * found.hi;
    if (is_fine || !(width / 4 > 16 * pair.error())) break;
    if (!test(found.lo + width / 2, width / 4)) break;
  }
  return found.lo > 0 ? found : Interval{};
}

}  // namespace

void let_rest(MovingPair& pair) {
  if (pair.options().start.hi >= 0) {
    if (pair.options().start.hi < infinity) pair.rest_at(pair.options().start);
    return;
  }
  const bool is_curved = pair.mesh_a().surface() || pair.mesh_b().surface();
  const double near = pair.separation() + pair.tolerance();
  const Interval start = is_curved ? start_of_surfaces(pair, near) : start_of_triangles(pair, near);
  // Bodies in contact (0) keep their separation, so they are reported.
  if (start.hi > 0 && start.hi <= near) pair.rest_at(start);
}

StartGap start_gap(const MovingPair& pair) {
  const double near = pair.separation() + pair.tolerance();
  if (pair.mesh_a().surface() || pair.mesh_b().surface()) {
    const Interval found = start_of_surfaces(pair, near);
    return {found.hi <= near, found.lo};
  }
  const Distance found = surface_distance(pair, pair.state(0, 0), near);
  return {found.upper <= near, found.lower, found.normal};
}

NearPoints TrianglesOfPair::operator()(double time) const {
  const Pose at_a = pair_.motion_a().pose(time), at_b = pair_.motion_b().pose(time);
  const Closest closest = closest_points(at_a * a_, at_b * b_);
  return {closest.distance + pair_.error(),
          transposed_times(at_a.rotation, closest.point_a - at_a.translation),
          transposed_times(at_b.rotation, closest.point_b - at_b.translation)};
}

double bodies_stay_until(const MovingPair& pair) {
  constexpr int most_windows = 4096;
  const StayingLimits limits = staying_limits(pair);
  double time = 0, length = 1;
  for (int k = 0; k < most_windows;) {
    const Distance found = surface_distance(pair, pair.state(time, time), limits.near);
    if (!(found.upper <= limits.inner) || found.element_a < 0) return time;
    const TrianglesOfPair points(pair, found.element_a, found.element_b);
    // The loop ends when the triangles may have left the inner limit. They cannot reach the outer
    // limit within its last window.
    for (NearPoints now = points(time); k < most_windows; ++k) {
      if (time >= 1) return infinity;
      const double end = std::min(time + length, 1.0), h = end - time;
      const HullTravel a(points.hull_a(), time, end), b(points.hull_b(), time, end);
      const StayingWindow window{time, end, now, points(end)};
      const bool stays = window.is_inside(limits) && stay_near(a, b, window, limits, true);
      const bool is_short = (a.speed + b.speed) * h * (1 + 0x1p-40) <= limits.near - limits.inner;
      if (stays || is_short) time = end, now = window.then;
      length = stays ? 2 * h : is_short ? h : h / 2;
      if (!stays && is_short) break;
    }
  }
  return time;
}

}  // namespace toccata
