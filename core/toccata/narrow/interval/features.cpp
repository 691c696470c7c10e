// Exclusion of feature pairs. Let s be the separation and e the tolerance. A pair is excluded while
// one of two lower bounds of its distance exceeds s. Both bounds are parabolas in time, expanded at
// the window's start.
//
//  - The equation: two edges, or a corner and a face, are farther apart than s while the lines, or
//    the plane, through them are: |N . T| > s |N| for the common normal N and any line T between
//    them.
//  - A direction: both features are convex, so the gap of their supports along any fixed n is a
//    lower bound. If n is along the line between the closest points, this gap is their distance.
//
// Proves that the second bound always decides a short window, which is the purpose of the paper's
// length threshold (eq. 11): no window in which all points move by less than e / 2 is bisected,
// because each of its pairs is excluded or accepted. A pair that is not accepted at the start is
// farther apart than s + e - 2 error. Thus the gap along n exceeds s by e - 4 error > e / 2, and
// lasts until a point has moved by that much.
#include "toccata/narrow/interval/features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {
namespace {

/// A lower bound room - rate t - bend t^2 of a quantity throughout the window.
struct Parabola {
  double room, rate, bend;
};

/// Returns a time until which the parabola is proven positive; infinite if it always is.
double time_above(const Parabola& p) {
  const double time = time_to_use_up(p.room, p.rate, p.bend);
  // Overflow may leave a NaN. Then nothing is proven.
  return time > 0 ? time * (1 - 0x1p-40) : 0;
}

/// A product of two edges that rotates. Its derivatives are at most turn * size and turn2 * size.
struct Normal {
  Vec3d value, rate;
  double size, turn, turn2;
  double growth;  // growth of its length, at first
  double edges;   // product of the edges' lengths, which scales the rounding error
};

/// A point with its velocity and a bound of its acceleration.
struct Point {
  Vec3d at, velocity;
  double bend;
};

/// Bit masks of the corners that span a feature.
struct Corners {
  unsigned x, y;
};

class Features {
 public:
  Features(const TrianglePair& t, const RelativeTaylor<double>& m, double duration,
           const FeatureOptions& options)
      : x_(t.x), m_(m), duration_(duration), options_(options) {
    for (int k = 0; k < 3; ++k) {
      const Vec3d at = m.offset + m.rotation * t.y.corner[k];
      y_.corner[k] = at;
      points_[k] = {at, m.drift + cross(m.spin, at), bend(m, at, duration)};
    }
  }

  FeatureTest test(FeatureSet pending) const {
    FeatureTest result{pending, infinity, false};
    for (FeatureSet rest = pending; rest; rest &= rest - 1) {
      const int id = std::countr_zero(rest);
      double step = time_above(equation(id));
      if (!(step > duration_)) {
        const PointPair closest = closest_points(id);
        const double distance = norm(closest.a - closest.b);
        if (distance + 2 * options_.error <= options_.separation + options_.tolerance) {
          result.touches = true;
          result.step = 0;
          return result;
        }
        step = std::max(step, time_apart(id, closest, distance));
      }
      if (step > duration_) result.pending &= ~(1u << id);
      else result.step = std::min(result.step, step);
    }
    return result;
  }

 private:
  Vec3d edge_x(int i) const { return x_.corner[next_corner(i)] - x_.corner[i]; }
  Vec3d edge_y(int j) const { return y_.corner[next_corner(j)] - y_.corner[j]; }
  static Normal face_normal(const Triangle& t) {
    const Vec3d u = t.corner[1] - t.corner[0], v = t.corner[2] - t.corner[0], n = cross(u, v);
    return {n, {0, 0, 0}, norm(n), 0, 0, 0, norm(u) * norm(v)};
  }

  static Corners corners(int id) {
    if (id >= 12) return {7, 1u << (id - 12)};
    if (id >= 9) return {1u << (id - 9), 7};
    const int i = id / 3, j = id % 3;
    return {1u << i | 1u << next_corner(i), 1u << j | 1u << next_corner(j)};
  }

  Normal common_normal(int id) const {
    if (id >= 12) return face_normal(x_);
    if (id >= 9) {
      Normal n = face_normal(y_);
      n.rate = cross(m_.spin, n.value);
      n.turn = m_.turn, n.turn2 = m_.turn2;
      return n;
    }
    const Vec3d u = edge_x(id / 3), v = edge_y(id % 3), rate = cross(u, cross(m_.spin, v));
    const double size = norm(u) * norm(v);
    return {cross(u, v), rate, size, m_.turn, m_.turn2, norm(rate), size};
  }

  /// Bounds |N . T| - s |N| from below.
  Parabola equation(int id) const {
    const Normal n = common_normal(id);
    const int i = id >= 12 ? 0 : id >= 9 ? id - 9 : id / 3;
    const int j = id >= 12 ? id - 12 : id >= 9 ? 0 : id % 3;
    const Point& p = points_[j];
    const Vec3d line = p.at - x_.corner[i];
    const double value = dot(n.value, line);
    const double rate = dot(n.rate, line) + dot(n.value, p.velocity);
    const double fastest = norm(p.velocity) + duration_ * p.bend;
    const double farthest = norm(line) + duration_ * fastest;
    // Corners err by less than the error, which changes |N . T| by that times |N|. All following
    // differences are exact to 2^-53, and their products to 2^-50 of `edges` and the line.
    const double s = options_.separation, slack = 4 * options_.error * n.edges;
    const double second = p.bend + 2 * n.turn * fastest + n.turn2 * (farthest + s);
    return {std::abs(value) - s * norm(n.value) - slack,
            (value > 0 ? -rate : rate) + s * n.growth + slack * (1 + n.turn),
            0.5 * n.size * second * (1 + 0x1p-40)};
  }

  PointPair closest_points(int id) const {
    if (id >= 12) return {closest_point(x_, y_.corner[id - 12]), y_.corner[id - 12]};
    if (id >= 9) return {x_.corner[id - 9], closest_point(y_, x_.corner[id - 9])};
    const int i = id / 3, j = id % 3;
    return toccata::closest_points(x_.corner[i], x_.corner[next_corner(i)], y_.corner[j],
                                   y_.corner[next_corner(j)]);
  }

  /// Returns a time until which a fixed direction is proven to separate the features.
  double time_apart(int id, const PointPair& closest, double distance) const {
    const Vec3d line = closest.a - closest.b;
    const Apart first = apart_along(id, line * (1 / distance));
    // Rounding of a short line changes its direction, which reduces the gap over the length of the
    // features. If that matters, the common normal is the better direction.
    if (first.gap >= distance - options_.tolerance / 4) return first.time;
    Vec3d n = common_normal(id).value;
    if (dot(n, line) < 0) n = -n;
    const double length = norm(n);
    // The squares of shorter vectors lose digits, and a direction must not be longer than 1.
    if (!(length > 0x1p-480)) return first.time;
    return std::max(first.time, apart_along(id, n * (1 / length)).time);
  }

  struct Apart {
    double gap, time;
  };

  /// Returns the gap along n, which points from y to x, and its duration.
  Apart apart_along(int id, const Vec3d& n) const {
    const Corners used = corners(id);
    double lo = infinity;
    for (int k = 0; k < 3; ++k)
      if (used.x >> k & 1) lo = std::min(lo, dot(n, x_.corner[k]));
    Apart result{infinity, infinity};
    for (int k = 0; k < 3; ++k)
      if (used.y >> k & 1) {
        const Point& p = points_[k];
        const double gap = lo - dot(n, p.at);
        const Parabola left{gap - options_.separation - 2 * options_.error,
                            dot(n, p.velocity) + 2 * options_.error, 0.5 * p.bend * (1 + 0x1p-40)};
        result = {std::min(result.gap, gap), std::min(result.time, time_above(left))};
      }
    return result;
  }

  const Triangle& x_;
  const RelativeTaylor<double>& m_;
  double duration_;
  const FeatureOptions& options_;
  Triangle y_;  // in the frame of x
  Point points_[3];
};

}  // namespace

FeatureTest test_features(const TrianglePair& triangles, const RelativeTaylor<double>& motion,
                          double duration, const FeatureOptions& options, FeatureSet pending) {
  return Features(triangles, motion, duration, options).test(pending);
}

}  // namespace toccata
