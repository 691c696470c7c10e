// Closest points and intersection of two triangles.
#include "toccata/geometry/triangle.hpp"

namespace toccata {
namespace {

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d d = b - a;
  const double length2 = norm2(d);
  return length2 > 0 ? a + d * clamp01(dot(p - a, d) / length2) : a;
}

/// Returns whether segment pq passes through triangle t, and where.
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
  // The projection is outside the face, or the face is degenerate: the closest point is on an edge.
  Vec3d best = closest_on_segment(a, b, p);
  for (const Vec3d& x : {closest_on_segment(b, c, p), closest_on_segment(c, a, p)})
    if (norm2(x - p) < norm2(best - p)) best = x;
  return best;
}

bool intersect(const Triangle& a, const Triangle& b, Vec3d& where) {
  for (int i = 0; i < 3; ++i) {
    if (pierces(a.corner[i], a.corner[(i + 1) % 3], b, where)) return true;
    if (pierces(b.corner[i], b.corner[(i + 1) % 3], a, where)) return true;
  }
  return false;
}

Closest closest_points(const Triangle& a, const Triangle& b) {
  Vec3d where{};
  if (intersect(a, b, where)) return {where, where, 0, Feature::none};
  return closest_features(corners_of(a), corners_of(b));
}

}  // namespace toccata
