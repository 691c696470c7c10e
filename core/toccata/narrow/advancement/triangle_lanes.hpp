// Gaps of eight triangles of one body and one triangle of the other, in single precision.
//
// Most triangles with intersecting boxes are not close to each other. This test excludes eight of
// them at a time before any is tested in double precision.
#pragma once

#include <array>
#include <bit>

#include "toccata/bvh/mesh.hpp"
#include "toccata/narrow/advancement/approach.hpp"

namespace toccata {

using TriangleLanes = std::array<Vec3p, 3>;  ///< the corners of eight triangles
using TriangleHere = std::array<Vec3f, 3>;   ///< the corners of one

/// Returns a power of two by which lengths are multiplied, because their fourth powers are needed.
/// The slack is 2^-18 of the extent of the bodies, so scaled corners are below 2^20.
inline float unit_of(const RelativeState& state) {
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(state.gap_slack) >> 23;
  return std::bit_cast<float>((254 - exponent) << 23);
}

/// Returns the triangle at child `lane` of a node, relative to the mesh's center, times `unit`.
inline TriangleHere triangle_at(const Mesh& mesh, const WideNode& node, int lane, float unit) {
  const Triangle t = mesh.triangle(element(node.child[lane]));
  const auto corner = [&](int k) { return to_float((t.corner[k] - mesh.center()) * unit); };
  return {corner(0), corner(1), corner(2)};
}

/// Returns the triangles at the children `wanted`. The other lanes are meaningless.
inline TriangleLanes triangles_at(const Mesh& mesh, const WideNode& node, unsigned wanted,
                                  float unit) {
  TriangleLanes all{};
  for_lanes(wanted, [&](int lane) {
    const TriangleHere one = triangle_at(mesh, node, lane, unit);
    for (int k = 0; k < 3; ++k) set_lane(all[k], lane, one[k]);
  });
  return all;
}

/// Eight lines between points of the triangles, with their squared lengths: the shortest ones
/// found.
struct ShortestLine {
  Vec3p line;
  Pack length2;

  void offer(Mask wanted, const Vec3p& d, Pack d2) {
    const Mask shorter = wanted & (d2 < length2);
    line = select(shorter, d, line);
    length2 = select(shorter, d2, length2);
  }
};

/// Eight edges, with their squared lengths.
struct EdgeLanes {
  Vec3p along;
  Pack length2, inverse;

  explicit EdgeLanes(const Vec3p& edge)
      : along(edge), length2(dot(edge, edge)), inverse(1 / length2) {}
};

/// Offers the line between the closest points of an edge of x and an edge of y with starts `w`
/// apart. For nearly parallel edges, the points may not be the closest. The gap along the line is
/// then smaller, but still valid.
[[gnu::always_inline]] inline void offer_edges(const Vec3p& w, const EdgeLanes& x,
                                               const EdgeLanes& y, ShortestLine& best) {
  const Vec3p &u = x.along, &v = y.along;
  const Pack uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const Pack det = x.length2 * y.length2 - uv * uv;
  const Pack first = clamp01((uv * vw - y.length2 * uw) / det);
  const Pack t = clamp01((uv * first + vw) * y.inverse), s = clamp01((uv * t - uw) * x.inverse);
  const Vec3p d = w + u * s - v * t;
  best.offer(Mask{} - 1, d, dot(d, d));
}

/// Offers the lines between corners and their projections onto the inside of the face (a, a + ab, a
/// + ac). `side` is 1 if the lines point from the face to the corners, and -1 otherwise.
[[gnu::always_inline]] inline void offer_corners(const Vec3p& a, const Vec3p& ab, const Vec3p& ac,
                                                 const TriangleLanes& points, float side,
                                                 ShortestLine& best) {
  const Vec3p n = cross(ab, ac), across_b = cross(ac, n), across_c = cross(n, ab);
  const Pack n2 = dot(n, n), inverse = 1 / n2, zero{};
  for (const Vec3p& point : points) {
    const Vec3p from = point - a;
    const Pack v = dot(from, across_b), w = dot(from, across_c), height = dot(from, n) * inverse;
    const Mask inside = (v >= zero) & (w >= zero) & (v + w <= n2) & (n2 > zero);
    best.offer(inside, n * (side * height), height * height * n2);
  }
}

/// Returns the gap along the line of closest points: up to rounding, a lower bound of the distance,
/// however accurate the line is. In the axes of the corners.
[[gnu::always_inline]] inline Separation separate(const TriangleLanes& x,
                                                  const TriangleHere& here) {
  const TriangleLanes y{broadcast(here[0]), broadcast(here[1]), broadcast(here[2])};
  const EdgeLanes u[3] = {EdgeLanes(x[1] - x[0]), EdgeLanes(x[2] - x[1]), EdgeLanes(x[0] - x[2])};
  const EdgeLanes v[3] = {EdgeLanes(y[1] - y[0]), EdgeLanes(y[2] - y[1]), EdgeLanes(y[0] - y[2])};
  ShortestLine best{{}, broadcast(INFINITY)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) offer_edges(x[i] - y[j], u[i], v[j], best);
  offer_corners(y[0], v[0].along, -v[2].along, x, 1, best);
  offer_corners(x[0], u[0].along, -u[2].along, y, -1, best);
  // Does not use `best.length2`: numbers below 1e-36 have lost digits, and n must not be longer
  // than 1.
  const Pack length2 = max(dot(best.line, best.line), broadcast(1e-36f));
  const Vec3p n = best.line * (1.f / sqrt(length2));
  const auto lowest = [](Pack p, Pack q, Pack r) { return min(p, min(q, r)); };
  const Pack gap = lowest(dot(n, x[0]), dot(n, x[1]), dot(n, x[2])) +
                   lowest(-dot(n, y[0]), -dot(n, y[1]), -dot(n, y[2]));
  return {n, gap};
}

}  // namespace toccata
