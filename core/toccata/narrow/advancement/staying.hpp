// Elements that start near each other: until when they certainly have not left.
#pragma once

#include <algorithm>

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// Two points of two elements, in body coordinates, and an upper bound of their distance.
struct NearPoints {
  double distance;
  Vec3d a, b;
};

/// Distances of elements that have not left: up to `near`, and up to `inner` as far as this is to
/// be proven. `inner` is less than `near`.
struct StayingLimits {
  double inner, near;
};

/// Bounds of the motion of a hull during a window.
struct HullTravel {
  double speed;     ///< of all points
  double turn;      ///< |R - R'| for rotations R and R' of the body at two times of the window
  double deviance;  ///< between the path of a point and its chord over any part of the window
  double diameter;

  /// A point at offset r from the pivot has a velocity that differs from that at the start by at
  /// most B u after a time u, where B = acceleration + (turning + spin_speed |spin|) |r|; this
  /// holds where velocities jump, too (`Spline::state`). Then path and tangent differ by B u^2 / 2
  /// at most, and so do chord and tangent, in proportion to time: together less than B h^2.
  HullTravel(const CarriedHull& hull, double time, double end);
};

/// The distances of two elements at both ends of a window.
struct StayingWindow {
  double time, end;
  NearPoints now, then;

  /// Returns whether they are within `inner` at the end, too.
  bool is_inside(const StayingLimits& limits) const { return then.distance <= limits.inner; }
};

/// Returns whether two elements within `inner` at the start of a window certainly have not left
/// until its end, or until the last time of it at which they are within `inner`.
///
/// By speed: to get from distance d beyond `near`, and back to `inner`, takes a way of
/// near - d + near - inner.
///
/// By convexity, if hulls a and b are the elements: let p, q be the points at the start of a window
/// and p', q' those at its end, with distances d and d'. At a share x of the window, look at the
/// points (1 - x) p + x p' and (1 - x) q + x q' of the elements. If points moved along chords, the
/// first of them would be at (1 - x) X(p, start) + x X(p', end) - x (1 - x) (R' - R) (p' - p), and
/// the second accordingly. So their distance is at most max(d, d') + (|R' - R| |p' - p| + ...) / 4
/// + deviances. If d' <= inner, that bounds all distances of the window. Otherwise it is applied to
/// the part of the window up to any time at which the distance is `inner` or less; there p' may be
/// any point of the element.
bool stay_near(const HullTravel& a, const HullTravel& b, const StayingWindow& window,
               const StayingLimits& limits, bool convex);

/// Bounds from below the time up to which two elements have not left: none of their distances since
/// the start has exceeded `limits.near`. Ends as soon as the distance exceeds `limits.inner`, at
/// the latest `until`; infinite if that is after the end of the motion. During the last step the
/// elements may leave, but not come back to a distance of `limits.inner` or less.
///
/// `points(t)` returns points of both elements at time t. Hulls contain the elements; if `convex`,
/// they are the elements.
template <class Points>
double stays_near(const CarriedHull& a, const CarriedHull& b, double until,
                  const StayingLimits& limits, bool convex, const Points& points) {
  constexpr int most_windows = 512;
  constexpr double shortest = 0x1p-36;  // a window that is worth another one
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
