#include "toccata/geometry/triangle.hpp"

#include <algorithm>
#include <limits>

namespace toccata {
namespace {

double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }  // NaN becomes 0

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d d = b - a;
  const double length2 = norm2(d);
  return length2 > 0 ? a + d * clamp01(dot(p - a, d) / length2) : a;
}

/// Where segment pq crosses triangle t, if it does.
bool pierces(const Vec3d& p, const Vec3d& q, const Triangle& t, Vec3d& where) {
  const auto& [a, b, c] = t.corner;
  const Vec3d n = cross(b - a, c - a);
  const double sp = dot(n, p - a), sq = dot(n, q - a);
  if ((sp > 0) == (sq > 0) || sp == sq) return false;
  const Vec3d x = p + (q - p) * (sp / (sp - sq));
  const bool inside = dot(n, cross(b - a, x - a)) >= 0 && dot(n, cross(c - b, x - b)) >= 0 &&
                      dot(n, cross(a - c, x - c)) >= 0;
  if (inside) where = x;
  return inside;
}

}  // namespace

Vec3d closest_point(const Triangle& triangle, const Vec3d& p) {
  const auto& [a, b, c] = triangle.corner;
  const Vec3d ab = b - a, ac = c - a, n = cross(ab, ac);
  const double n2 = norm2(n);
  if (n2 > 0) {
    const Vec3d ap = p - a;
    const double v = dot(cross(ap, ac), n), w = dot(cross(ab, ap), n);
    if (v >= 0 && w >= 0 && v + w <= n2) return a + ab * (v / n2) + ac * (w / n2);
  }
  // Outside the prism over the face (or no face at all): the closest point lies on an edge.
  Vec3d best = closest_on_segment(a, b, p);
  for (const Vec3d& x : {closest_on_segment(b, c, p), closest_on_segment(c, a, p)})
    if (norm2(x - p) < norm2(best - p)) best = x;
  return best;
}

PointPair closest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  const Vec3d u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  // Nearly parallel: any s will do as a start, t is then the best for it, and s the best for t.
  double s = det > 1e-14 * uu * vv ? clamp01((uv * vw - vv * uw) / det) : 0;
  const double t = vv > 0 ? clamp01((uv * s + vw) / vv) : 0;
  s = uu > 0 ? clamp01((uv * t - uw) / uu) : 0;
  return {a0 + u * s, b0 + v * t};
}

bool intersect(const Triangle& a, const Triangle& b, Vec3d& where) {
  for (int i = 0; i < 3; ++i) {
    if (pierces(a.corner[i], a.corner[(i + 1) % 3], b, where)) return true;
    if (pierces(b.corner[i], b.corner[(i + 1) % 3], a, where)) return true;
  }
  return false;
}

Closest closest_points(const Triangle& a, const Triangle& b) {
  Closest best{{}, {}, 0, Feature::none};
  double best2 = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vec3d& pa, const Vec3d& pb, Feature feature) {
    const double d2 = norm2(pa - pb);
    if (d2 < best2) {
      best2 = d2;
      best = {pa, pb, 0, feature};
    }
  };
  for (int i = 0; i < 3; ++i) {
    offer(a.corner[i], closest_point(b, a.corner[i]), Feature::vertex_face);
    offer(closest_point(a, b.corner[i]), b.corner[i], Feature::face_vertex);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto [pa, pb] = closest_points(a.corner[i], a.corner[(i + 1) % 3], b.corner[j],
                                           b.corner[(j + 1) % 3]);
      offer(pa, pb, Feature::edge_edge);
    }
  Vec3d where{};
  if (best2 > 0 && intersect(a, b, where)) return {where, where, 0, Feature::none};
  best.distance = std::sqrt(best2);
  return best;
}

}  // namespace toccata
