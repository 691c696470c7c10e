// Closest points of two triangles. Tests the nine pairs of edges, three at a time, and the corners
// of each triangle above the face of the other.
#include <bit>

#include "toccata/geometry/triangle.hpp"

namespace toccata {
namespace {

/// Returns the vectors from each corner to the next.
Corners edges_of(const Corners& c) {
  const auto next = [](const Quad& x) { return shuffle<1, 2, 0, 1>(x); };
  return {next(c.x) - c.x, next(c.y) - c.y, next(c.z) - c.z};
}

/// Parameters and squared distances of the closest points of one edge and the three edges of a
/// triangle.
struct EdgeDistances {
  Quad s, t, distance2;
};

/// The three edges of a triangle.
struct Edges {
  Corners start, along;
  Quad length2, inverse;

  explicit Edges(const Corners& corners) : start(corners), along(edges_of(corners)) {
    length2 = dot(along, along);
    inverse = 1 / length2;
  }

  /// Computes the distances from the edge that starts at `point` and has direction and length u.
  EdgeDistances from(const Vec3d& point, const Vec3d& u, double uu, double inverse_uu) const {
    const Corners w{point.x - start.x, point.y - start.y, point.z - start.z};
    const Quad uv = dot(along, u), uw = dot(w, u), vw = dot(along, w);
    const Quad det = uu * length2 - uv * uv;
    EdgeDistances r;
    r.t = clamp01((uv * clamp01((uv * vw - length2 * uw) / det) + vw) * inverse);
    r.s = clamp01((uv * r.t - uw) * inverse_uu);
    const unsigned sound = bits(det > least_determinant * uu * length2);
    for (int k = 0; sound != 0xf && k < 4; ++k) {
      if (sound >> k & 1) continue;
      const auto [s, t] = nearly_parallel(u, uu, corner(along, k), length2[k], corner(w, k));
      r.s.set(k, s), r.t.set(k, t);
    }
    const Corners d{w.x + u.x * r.s - along.x * r.t, w.y + u.y * r.s - along.y * r.t,
                    w.z + u.z * r.s - along.z * r.t};
    r.distance2 = dot(d, d);
    return r;
  }
};

Closest closest_edges(const Corners& a, const Corners& b) {
  const Edges of_a(a), of_b(b);
  EdgeDistances found[3];
  for (int i = 0; i < 3; ++i)
    found[i] = of_b.from(corner(a, i), corner(of_a.along, i), of_a.length2[i], of_a.inverse[i]);
  const Quad least =
      least_of(min(min(found[0].distance2, found[1].distance2), found[2].distance2)) + Quad{};
  unsigned where = 1u << 12;
  for (int i = 0; i < 3; ++i) where |= bits(found[i].distance2 == least) << 4 * i;
  const int i = std::countr_zero(where) / 4 % 3, j = std::countr_zero(where) % 4 % 3;
  Closest best{corner(a, i) + corner(of_a.along, i) * found[i].s[j],
               corner(b, j) + corner(of_b.along, j) * found[i].t[j],
               0,
               Feature::edge_edge,
               static_cast<std::uint8_t>(i),
               static_cast<std::uint8_t>(j)};
  best.distance = norm(best.point_a - best.point_b);
  return best;
}

/// Takes the corner of `points` that is closest to the inside of `face`, if it is closer than
/// `best`.
void offer_corners(const Corners& face, const Corners& points, Feature feature, Closest& best) {
  const Vec3d a = corner(face, 0), ab = corner(face, 1) - a, ac = corner(face, 2) - a;
  const Vec3d n = cross(ab, ac);
  const double n2 = norm2(n), inverse = 1 / n2;
  if (!(n2 > 0)) return;
  const Corners from = points - a;
  const Quad v = dot(from, cross(ac, n)), w = dot(from, cross(n, ab)), height = dot(from, n);
  const Quad zero{}, distance2 = height * height * inverse;
  const QuadMask inside = (v >= zero) & (w >= zero) & (v + w <= n2);
  unsigned closer = bits(inside & (distance2 < best.distance * best.distance)) & 7;
  for (; closer; closer &= closer - 1) {
    const int k = std::countr_zero(closer);
    const Vec3d over = corner(points, k), on = a + ab * (v[k] * inverse) + ac * (w[k] * inverse);
    const double distance = norm(over - on);
    if (!(distance < best.distance)) continue;
    const bool of_a = feature == Feature::vertex_face;
    best = {of_a ? over : on, of_a ? on : over, distance, feature};
  }
}

}  // namespace

Closest closest_features(const Corners& a, const Corners& b) {
  Closest best = closest_edges(a, b);
  const Vec3d d = best.point_a - best.point_b;
  // Proves that no other points are closer: the planes perpendicular to d through the two points
  // separate the triangles. The slack only covers rounding.
  const double slack = 0x1p-30 * norm2(d);
  const Quad height_a = dot(a - best.point_a, d), height_b = dot(b - best.point_b, d);
  if (bits((height_a >= -slack) & (height_b <= slack)) == 0xf) return best;
  offer_corners(b, a, Feature::vertex_face, best);
  offer_corners(a, b, Feature::face_vertex, best);
  return best;
}

}  // namespace toccata
