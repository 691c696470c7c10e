// Closest points of two segments, also if they are nearly parallel or degenerate.
#include "toccata/geometry/segment.hpp"

namespace toccata {

SegmentParameters nearly_parallel(const Vec3d& u, double uu, const Vec3d& v, double vv,
                                  const Vec3d& w) {
  const auto on_a = [&](double t) { return uu > 0 ? clamp01(dot(u, v * t - w) / uu) : 0; };
  const auto on_b = [&](double s) { return vv > 0 ? clamp01(dot(v, w + u * s) / vv) : 0; };
  SegmentParameters best{0, on_b(0)};
  double least = norm2(w - v * best.t);
  const auto offer = [&](double s, double t) {
    const double d2 = norm2(w + u * s - v * t);
    if (d2 < least) least = d2, best = {s, t};
  };
  offer(1, on_b(1));
  offer(on_a(0), 0);
  offer(on_a(1), 1);
  const Vec3d c = cross(u, v);
  if (const double c2 = norm2(c); c2 > 0) {
    const double t = on_b(clamp01(dot(cross(v, w), c) / c2));
    offer(on_a(t), t);
  }
  return best;
}

PointPair closest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  const Vec3d u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = norm2(u), vv = norm2(v);
  const double uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  SegmentParameters at;
  if (det > least_determinant * uu * vv) {
    at.t = clamp01((uv * clamp01((uv * vw - vv * uw) / det) + vw) / vv);
    at.s = clamp01((uv * at.t - uw) / uu);
  } else {
    at = nearly_parallel(u, uu, v, vv, w);
  }
  return {a0 + u * at.s, b0 + v * at.t};
}

}  // namespace toccata
