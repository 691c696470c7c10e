// Separation proofs along fixed directions (linear in time) and rotating ones (cubic in time).
#include "toccata/narrow/linear/separation.hpp"

#include <algorithm>

#include "toccata/math/cubic.hpp"

namespace toccata {
namespace {

/// Bounds the length of a vector from above, even if squares underflow.
double length_above(const Vec3d& v) {
  const double length = norm(v);
  return length > 1e-140 ? length * (1 + 0x1p-48) : norm1(v);
}

/// Returns the control vectors of a quadratic in Bernstein form: the cross product of two vectors
/// that change linearly.
std::array<Vec3d, 3> rotating_normal(const Spanning& start, const Spanning& end) {
  return {cross(start.u, start.v), (cross(start.u, end.v) + cross(end.u, start.v)) * 0.5,
          cross(end.u, end.v)};
}

/// Returns a cubic that is at most n(t) . d(t) - separation |n(t)| for all lanes of d, which
/// changes linearly from d0 to d1.
Cubic gap_along(const std::array<Vec3d, 3>& n, const Vec3q& d0, const Vec3q& d1,
                const Vec3d& extent, double separation) {
  const Vec3d reach = abs(n[0]) + abs(n[1]) + abs(n[2]);
  // Differences err by 2^-50, sums of products by 2^-50, and `positive_until` by 200 2^-53. If they
  // underflow, components of n err by 2^-1072.
  const double slack = 0x1p-45 * dot(reach, extent) + tiny * (1 + norm1(extent) + separation);
  Cubic c{least_of(dot(d0, n[0])), least_of(dot(d1, n[0]) + dot(d0, n[1]) * 2) / 3,
          least_of(dot(d1, n[1]) * 2 + dot(d0, n[2])) / 3, least_of(dot(d1, n[2]))};
  for (double& x : c) x -= slack;
  if (separation == 0) return c;
  // The norm of n is convex, so the Bernstein form with the norms of the control vectors bounds it
  // from above.
  const double s = separation * (1 + 0x1p-48);
  const double n0 = length_above(n[0]), n1 = length_above(n[1]), n2 = length_above(n[2]);
  const Cubic room{n0, (n0 + 2 * n1) / 3, (2 * n1 + n2) / 3, n2};
  for (int k = 0; k < 4; ++k) c[k] -= s * room[k];
  return c;
}

/// Returns the edges of the face, or the two edges.
template <PairKind kind>
auto edges_of(const Vec3q& d) {
  const auto [u, v] = span_of<kind>(d);
  if constexpr (kind == PairKind::vertex_face) return std::array{u, v, v - u};
  else return std::array{u, v};
}

/// Differences of a pair at both ends of a window, up to 2^-50 of their extent.
template <PairKind kind>
struct MovingDifferences {
  Vec3q start, end;
  const Vec3d& extent;
  TimeWindow window;

  MovingDifferences(const Differences<kind>& pair, TimeWindow w)
      : start(pair.at(w.start)),
        end(w.end < 1 ? pair.at(w.end) : pair.end),
        extent(pair.extent),
        window(w) {}

  /// Bounds from below the time until which the features are apart along a rotating direction n, or
  /// along -n.
  double apart_along(std::array<Vec3d, 3> n, double separation) const {
    if (dot(n[0], lane(start, 0)) < 0)
      for (Vec3d& v : n) v = -v;
    const double x = positive_until(gap_along(n, start, end, extent, separation));
    if (x > 1) return window.end < 1 ? window.end : infinity;
    // The sum errs by 4 2^-54, and x by 11 2^-54.
    return std::max(window.start, window.start + x * (window.end - window.start) - 0x1p-50);
  }
};

}  // namespace

// Proves that the plane across n separates the features while all lanes exceed the slack, however n
// was found. Along a fixed direction n, a difference d of two points has the linear component (1 -
// t) a + t b with a = n.d(0), b = n.d(1). Rounding of a and b errs by less than 2^-50 |n|.extent
// each: 2^-53 for d, 3 2^-53 for the dot product, 2^-53 for subtracting the slack. All other
// operations are exact or rounded to the safe side.
template <PairKind kind>
double separated_until(const Differences<kind>& pair, const Vec3d& n, double separation,
                       double time) {
  const double slack = 0x1p-49 * dot(abs(n), pair.extent) +
                       separation * length_above(n) * (1 + 0x1p-48) + tiny;
  const Quad a = dot(pair.start, n) - slack, b = dot(pair.end, n) - slack, zero{};
  const QuadMask at_start = a > zero, at_end = b > zero;
  if (all(at_start & at_end)) return infinity;
  const Quad root = a / (a - b);
  const Quad never = quad(infinity);
  const Quad from = select(at_start, -never, select(at_end, root * (1 + 0x1p-50), never));
  const Quad until = select(at_end, never, select(at_start, root * (1 - 0x1p-50), -never));
  if (!all(from < time)) return time;
  return std::max(time, least_of(until));
}

// Proves the same for features with a common point: a difference that is zero at the start has the
// component t b, without rounding of a.
template <PairKind kind>
double separated_from_start(const Differences<kind>& pair, const Vec3d& n) {
  const double slack = 0x1p-49 * dot(abs(n), pair.extent) + tiny;
  const Quad a = dot(pair.start, n) - slack, b = dot(pair.end, n) - slack, zero{};
  const QuadMask common = (pair.start.x == zero) & (pair.start.y == zero) & (pair.start.z == zero);
  const QuadMask at_end = b > zero;
  if (!all(select(common, at_end, a > zero))) return 0;
  return std::max(0.0, least_of(select(at_end, quad(infinity), a / (a - b) * (1 - 0x1p-50))));
}

template <PairKind kind>
double separated_rotating_until(const Differences<kind>& pair, double separation,
                                TimeWindow window) {
  const MovingDifferences<kind> d(pair, window);
  return d.apart_along(rotating_normal(span_of<kind>(d.start), span_of<kind>(d.end)), separation);
}

template <PairKind kind>
double separated_in_plane_until(const Differences<kind>& pair, const Vec3d& direction,
                                double separation, TimeWindow window) {
  const MovingDifferences<kind> d(pair, window);
  const auto start = edges_of<kind>(d.start), end = edges_of<kind>(d.end);
  double time = window.start;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const Vec3d axis = cross(start[k], direction);
    const Vec3d n0 = cross(axis, start[k]), n1 = cross(axis, end[k]);
    time = std::max(time, d.apart_along({n0, (n0 + n1) * 0.5, n1}, separation));
  }
  return time;
}

template double separated_until(const Differences<PairKind::vertex_face>&, const Vec3d&, double,
                                double);
template double separated_until(const Differences<PairKind::edge_edge>&, const Vec3d&, double,
                                double);
template double separated_from_start(const Differences<PairKind::vertex_face>&, const Vec3d&);
template double separated_from_start(const Differences<PairKind::edge_edge>&, const Vec3d&);
template double separated_rotating_until(const Differences<PairKind::vertex_face>&, double,
                                         TimeWindow);
template double separated_rotating_until(const Differences<PairKind::edge_edge>&, double,
                                         TimeWindow);
template double separated_in_plane_until(const Differences<PairKind::vertex_face>&, const Vec3d&,
                                         double, TimeWindow);
template double separated_in_plane_until(const Differences<PairKind::edge_edge>&, const Vec3d&,
                                         double, TimeWindow);

}  // namespace toccata
