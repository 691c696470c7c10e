// Staying: proofs that elements in touch at the start have not left each other, up to a certain
// time.
#pragma once

#include <algorithm>

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// Two points of two elements, in body coordinates, and an upper bound of their distance.
struct NearPoints {
  double distance;
  Vec3d a, b;
};

/// Limits for elements in touch. Elements have left if their distance exceeds `near`. The proof is
/// required while it is at most `inner`, which is less than `near`.
struct StayingLimits {
  double inner, near;
};

/// Bounds of the motion of a hull during a window.
struct HullTravel {
  double speed;     ///< largest speed of a point
  double turn;      ///< |R - R'| for rotations R and R' of the body at two times of the window
  double deviance;  ///< largest distance between a point's path and its chord over any subwindow
  double diameter;

  /// Computes the bounds. Let r be the offset of a point from the pivot. After a time u, its
  /// velocity differs from the initial velocity by at most B u with B = acceleration + (turning +
  /// spin_speed |spin|) |r|, even if velocities jump (`Spline::state`). Path and tangent then
  /// differ by at most B u^2 / 2. Chord and tangent differ by at most as much, in proportion to
  /// time. In total, path and chord differ by less than B h^2.
  HullTravel(const CarriedHull& hull, double time, double end);
};

/// Distances of two elements at both ends of a window.
struct StayingWindow {
  double time, end;
  NearPoints now, then;

  /// Returns whether the elements are within `inner` at the end, too.
  bool is_inside(const StayingLimits& limits) const { return then.distance <= limits.inner; }
};

/// Returns true only if two elements that are within `inner` at the start of a window are proven
/// not to leave until its end, or until its last time at which they are within `inner`.
///
/// Proof by speed: to exceed the distance `near`, starting from a distance d, and to return to
/// `inner`, the elements must travel near - d + near - inner.
///
/// Proof by convexity, if the hulls a and b are the elements: let p, q be the points at the start
/// of a window and p', q' the points at its end, with distances d and d'. At a fraction x of the
/// window, consider the points (1 - x) p + x p' and (1 - x) q + x q' of the elements. If points
/// moved along chords, the first would be at (1 - x) X(p, start) + x X(p', end) - x (1 - x) (R' -
/// R) (p' - p), and the second accordingly. So their distance is at most max(d, d') + (|R' - R| |p'
/// - p| + ...) / 4 + deviances. If d' <= inner, this bounds all distances in the window. Otherwise,
/// it is applied to the window up to any time at which the distance is at most `inner`; then p' may
/// be any point of the element.
bool stay_near(const HullTravel& a, const HullTravel& b, const StayingWindow& window,
               const StayingLimits& limits, bool convex);

/// Bounds from below the time up to which two elements have not left: since the start, their
/// distance has never exceeded `limits.near`. Ends as soon as the distance exceeds `limits.inner`,
/// at the latest at `until`. Returns infinity if that is after the end of the motion. During the
/// last advance the elements may leave, but not return to a distance of `limits.inner` or less.
///
/// `points(t)` returns points of both elements at time t. Hulls contain the elements; if `convex`,
/// they are the elements.
template <class Points>
double stays_near(const CarriedHull& a, const CarriedHull& b, double until,
                  const StayingLimits& limits, bool convex, const Points& points) {
  constexpr int most_windows = 512;
  // Shortest window that is worth another one.
  constexpr double shortest = 0x1p-36;
  const double end = std::min(until, 1.0);
  double time = 0, length = end;
  NearPoints now = points(0.0);
  for (int k = 0; k < most_windows && now.distance <= limits.inner; ++k) {
    if (time >= end) return until;
    const double next = std::min(time + length, end), h = next - time;
    if (!(h > shortest)) return time;
    const StayingWindow window{time, next, now, points(next)};
    if (!stay_near({a, time, next}, {b, time, next}, window, limits, convex)) {
      length = h / 2;
      continue;
    }
    time = next, now = window.then, length = 2 * h;
  }
  return time >= 1 ? until : time;
}

}  // namespace toccata
