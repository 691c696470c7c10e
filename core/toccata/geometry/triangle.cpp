#include "toccata/geometry/triangle.hpp"

#include <algorithm>
#include <limits>

#include "toccata/math/quad.hpp"

namespace toccata {
namespace {

double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }  // NaN becomes 0

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d d = b - a;
  const double length2 = norm2(d);
  return length2 > 0 ? a + d * clamp01(dot(p - a, d) / length2) : a;
}

/// Parameters of the closest points of segments a + s u and b + t v, with w = a - b.
SegmentParameters closest_parameters(const Vec3d& u, double uu, const Vec3d& v, double vv,
                                     const Vec3d& w) {
  const double uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  if (!(det > 1e-8 * uu * vv)) return closest_when_parallel(u, uu, v, vv, w);
  const double t = clamp01((uv * clamp01((uv * vw - vv * uw) / det) + vw) / vv);
  return {clamp01((uv * t - uw) / uu), t};
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

SegmentParameters closest_when_parallel(const Vec3d& u, double uu, const Vec3d& v, double vv,
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
  const Vec3d u = a1 - a0, v = b1 - b0;
  const auto [s, t] = closest_parameters(u, norm2(u), v, norm2(v), a0 - b0);
  return {a0 + u * s, b0 + v * t};
}

bool intersect(const Triangle& a, const Triangle& b, Vec3d& where) {
  for (int i = 0; i < 3; ++i) {
    if (pierces(a.corner[i], a.corner[(i + 1) % 3], b, where)) return true;
    if (pierces(b.corner[i], b.corner[(i + 1) % 3], a, where)) return true;
  }
  return false;
}

namespace {

/// Keeps the closest pair of points offered so far.
struct Nearest {
  Vec3d a, b;
  double distance2 = std::numeric_limits<double>::infinity();
  Feature feature = Feature::none;
  std::uint8_t edge_a = 0, edge_b = 0;

  void offer(const Vec3d& point_a, const Vec3d& point_b, Feature with) {
    const double d2 = norm2(point_a - point_b);
    if (d2 < distance2) *this = {point_a, point_b, d2, with};
  }
  Closest closest() const { return {a, b, std::sqrt(distance2), feature, edge_a, edge_b}; }
};

/// Offers the corners of `points` whose projections fall inside `face`.
template <class Offer>
void project_corners(const Triangle& face, const Triangle& points, const Offer& offer) {
  const auto& [a, b, c] = face.corner;
  const Vec3d ab = b - a, ac = c - a, n = cross(ab, ac);
  const double n2 = norm2(n);
  if (!(n2 > 0)) return;
  const Vec3d for_b = cross(ac, n), for_c = cross(n, ab);
  for (const Vec3d& p : points.corner) {
    const Vec3d ap = p - a;
    const double v = dot(for_b, ap), w = dot(for_c, ap);
    if (v >= 0 && w >= 0 && v + w <= n2) offer(p, a + ab * (v / n2) + ac * (w / n2));
  }
}

}  // namespace

namespace {

Quad clamp01(Quad x) {
  const Quad zero{}, one = zero + 1;
  return x > zero ? (x < one ? x : one) : zero;  // NaN becomes 0
}

/// One edge of a against the three of b: squared distances of the closest points.
struct EdgeDistances {
  Quad s, t, distance2;
};

/// The edges of a triangle, coordinate by coordinate; the fourth lane repeats the first edge.
struct Edges {
  Vec3<Quad> start, along;
  Quad length2;

  explicit Edges(const Triangle& triangle) {
    for (int k = 0; k < 4; ++k) {
      const Vec3d &p = triangle.corner[k % 3], &q = triangle.corner[(k + 1) % 3];
      start.x[k] = p.x, start.y[k] = p.y, start.z[k] = p.z;
      along.x[k] = q.x - p.x, along.y[k] = q.y - p.y, along.z[k] = q.z - p.z;
    }
    length2 = dot(along, along);
  }

  /// As `closest_parameters`, for the edge from `point` along u.
  EdgeDistances from(const Vec3d& point, const Vec3d& u, double uu) const {
    const Vec3<Quad> w{point.x - start.x, point.y - start.y, point.z - start.z};
    const Quad uv = dot(along, u), uw = dot(w, u), vw = dot(along, w);
    const Quad det = uu * length2 - uv * uv;
    EdgeDistances r;
    r.t = clamp01((uv * clamp01((uv * vw - length2 * uw) / det) + vw) / length2);
    r.s = clamp01((uv * r.t - uw) * (1 / uu));
    for (int k = 0; k < 3; ++k) {
      if (det[k] > 1e-8 * uu * length2[k]) continue;
      const Vec3d v{along.x[k], along.y[k], along.z[k]};
      const auto [s, t] = closest_when_parallel(u, uu, v, length2[k], {w.x[k], w.y[k], w.z[k]});
      r.s[k] = s, r.t[k] = t;
    }
    const Vec3<Quad> d{w.x + u.x * r.s - along.x * r.t, w.y + u.y * r.s - along.y * r.t,
                       w.z + u.z * r.s - along.z * r.t};
    r.distance2 = dot(d, d);
    return r;
  }
};

}  // namespace

Closest closest_features(const Triangle& a, const Triangle& b) {
  const Edges edges(b);
  Nearest best;
  for (int i = 0; i < 3; ++i) {
    const Vec3d u = a.corner[(i + 1) % 3] - a.corner[i];
    const EdgeDistances found = edges.from(a.corner[i], u, norm2(u));
    for (int j = 0; j < 3; ++j) {
      if (!(found.distance2[j] < best.distance2)) continue;
      const Vec3d v = b.corner[(j + 1) % 3] - b.corner[j];
      best = {a.corner[i] + u * found.s[j], b.corner[j] + v * found.t[j], found.distance2[j],
              Feature::edge_edge, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
    }
  }
  const Vec3d d = best.a - best.b;
  best.distance2 = norm2(d);
  // If the planes across d at both points have the triangles on their far sides, nothing is closer.
  const auto behind = [&](const Triangle& triangle, const Vec3d& from, const Vec3d& direction) {
    return dot(direction, triangle.corner[0] - from) >= 0 &&
           dot(direction, triangle.corner[1] - from) >= 0 &&
           dot(direction, triangle.corner[2] - from) >= 0;
  };
  if (behind(a, best.a, d) && behind(b, best.b, -d)) return best.closest();
  project_corners(b, a, [&](const Vec3d& p, const Vec3d& q) {
    best.offer(p, q, Feature::vertex_face);
  });
  project_corners(a, b, [&](const Vec3d& p, const Vec3d& q) {
    best.offer(q, p, Feature::face_vertex);
  });
  return best.closest();
}

Closest closest_points(const Triangle& a, const Triangle& b) {
  Vec3d where{};
  if (intersect(a, b, where)) return {where, where, 0, Feature::none};
  return closest_features(a, b);
}

}  // namespace toccata
