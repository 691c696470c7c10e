// Closest points of feature pairs, and directions that keep their digits close to contact.
#include "toccata/narrow/linear/gap.hpp"

#include <algorithm>

#include "toccata/geometry/segment.hpp"

namespace toccata {
namespace {

/// Projection of a vertex onto its face: the height along the normal, and barycentric coordinates.
struct Height {
  bool inside;
  Vec3d normal;
  double n2, v, w;  // squared length of the normal; weights of corners 1 and 2, times n2
};

Height height_of(const Vec3q& d) {
  const auto [ab, ac] = span_of<PairKind::vertex_face>(d);
  const Vec3d ap = lane(d, 0), n = cross(ab, ac);
  const double n2 = norm2(n), v = dot(cross(ap, ac), n), w = dot(cross(ab, ap), n);
  return {n2 > 0 && v >= 0 && w >= 0 && v + w <= n2, n, n2, v, w};
}

/// The closest point on the boundary of the face, as an edge and the fraction along it.
struct OutlinePoint {
  int edge;
  double fraction;
  Vec3d difference;
  double distance2;
};

OutlinePoint closest_on_outline(const Vec3q& d) {
  const Vec3q next = shuffle<1, 2, 0, 1>(d);
  const Vec3q along{d.x - next.x, d.y - next.y, d.z - next.z};
  // The fraction is 0 on an edge of length 0.
  const Quad f = clamp01(dot(d, along) / dot(along, along));
  const Vec3q r{d.x - along.x * f, d.y - along.y * f, d.z - along.z * f};
  const Quad r2 = dot(r, r);
  int k = r2[1] < r2[0] ? 1 : 0;
  if (r2[2] < r2[k]) k = 2;
  return {k, f[k], lane(r, k), r2[k]};
}

/// Returns the weights of the vertex and of the corners.
std::array<double, 4> weights_of(const OutlinePoint& p) {
  std::array<double, 4> weights{1, 0, 0, 0};
  weights[1 + p.edge] = 1 - p.fraction;
  weights[1 + (p.edge + 1) % 3] = p.fraction;
  return weights;
}

struct EdgeParameters {
  double s, t;
  Vec3d u, v, w;
};

EdgeParameters closest_on_edges(const Vec3q& d) {
  const auto [u, v] = span_of<PairKind::edge_edge>(d);
  const Vec3d w = lane(d, 0);
  const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  if (!(det > least_determinant * uu * vv)) {
    const auto [s, t] = nearly_parallel(u, uu, v, vv, w);
    return {s, t, u, v, w};
  }
  const double t = clamp01((uv * clamp01((uv * vw - vv * uw) / det) + vw) / vv);
  return {clamp01((uv * t - uw) / uu), t, u, v, w};
}

bool inner(double x) { return x > 0 && x < 1; }

/// Removes the component of a vector along an edge. A vector between closest points is orthogonal
/// to the edge with an inner point, but if it is short, rounding adds a component along the edge.
Vec3d orthogonal(const Vec3d& r, const Vec3d& edge) {
  return r - edge * (dot(r, edge) / norm2(edge));
}

/// Returns the component of a vector orthogonal to an edge. Removes the component along the edge
/// twice, so a short result is orthogonal in spite of rounding.
Vec3d across(const Vec3d& r, const Vec3d& edge) { return orthogonal(orthogonal(r, edge), edge); }

/// Returns a normal of two vectors, orthogonal to both up to rounding even if they are nearly
/// parallel. The cross product alone loses digits then.
Vec3d normal_of(const Vec3d& u, const Vec3d& v) {
  return across(across(cross(u, v), u), across(v, u));
}

/// Returns +n or -n, whichever points along r.
Vec3d towards(const Vec3d& r, const Vec3d& n) { return dot(n, r) < 0 ? -n : n; }

Gap gap_to(const OutlinePoint& p, const Vec3q& d) {
  const Vec3d corner = lane(d, p.edge), next = lane(d, (p.edge + 1) % 3);
  const Vec3d r = inner(p.fraction) ? orthogonal(p.difference, corner - next) : p.difference;
  return {r, std::sqrt(p.distance2)};
}

}  // namespace

template <>
std::array<Vec3d, 7> directions_of<PairKind::vertex_face>(const Vec3q& d) {
  const auto [ab, ac] = span_of<PairKind::vertex_face>(d);
  const Vec3d a = lane(d, 0), b = lane(d, 1), c = lane(d, 2);
  return {towards(a, normal_of(ab, ac)), across(a, ab), across(b, ac - ab), across(c, ac), a, b, c};
}

template <>
std::array<Vec3d, 9> directions_of<PairKind::edge_edge>(const Vec3q& d) {
  const auto [u, v] = span_of<PairKind::edge_edge>(d);
  const Vec3d a = lane(d, 0), b = lane(d, 1), c = lane(d, 2), e = lane(d, 3);
  return {towards(a, normal_of(u, v)),
          across(a, u),
          across(b, u),
          across(a, v),
          across(c, v),
          a,
          b,
          c,
          e};
}

template <>
Gap gap_of<PairKind::vertex_face>(const Vec3q& d) {
  if (const Height h = height_of(d); h.inside) {
    const double height = dot(h.normal, lane(d, 0));
    return {height < 0 ? -h.normal : h.normal, std::abs(height) / std::sqrt(h.n2)};
  }
  return gap_to(closest_on_outline(d), d);
}

template <>
Gap gap_of<PairKind::edge_edge>(const Vec3q& d) {
  const auto [s, t, u, v, w] = closest_on_edges(d);
  // Between inner points the cross product has the same direction, with more digits at short
  // distances.
  if (inner(s) && inner(t)) {
    const Vec3d c = cross(u, v);
    const double height = dot(c, w), c2 = norm2(c);
    if (c2 > 1e-10 * norm2(u) * norm2(v))
      return {height < 0 ? -c : c, std::abs(height) / std::sqrt(c2)};
  }
  const Vec3d between = w + u * s - v * t;
  Vec3d r = between;
  if (inner(s)) r = orthogonal(r, u);
  if (inner(t)) r = orthogonal(r, v);
  return {r, norm(between)};
}

template <>
std::array<double, 4> closest_weights<PairKind::vertex_face>(const Vec3q& d) {
  if (const Height h = height_of(d); h.inside)
    return {1, 1 - h.v / h.n2 - h.w / h.n2, h.v / h.n2, h.w / h.n2};
  return weights_of(closest_on_outline(d));
}

// Moves from the boundary to the inside, by the component of the difference across the first edge,
// then along it. Repeats once, because rounding matters in a thin face.
template <>
double closest_distance<PairKind::vertex_face>(const Vec3q& d, double enough) {
  const OutlinePoint outline = closest_on_outline(d);
  const auto [ab, ac] = span_of<PairKind::vertex_face>(d);
  const Vec3d e = orthogonal(ac, ab);
  auto [vertex, u, v, w] = weights_of(outline);
  Vec3d r = outline.difference;
  double least = std::sqrt(outline.distance2);
  for (int k = 0; k < 2 && !(least <= enough); ++k) {
    const double more = dot(r, e) / norm2(e);
    w += more, v += dot(r - ac * more, ab) / norm2(ab);
    u = 1 - v - w;
    if (!(u >= 0 && v >= 0 && w >= 0)) break;
    r = lane(d, 0) * u + lane(d, 1) * v + lane(d, 2) * w;
    least = std::min(least, norm(r));
  }
  return least;
}

template <>
double closest_distance<PairKind::edge_edge>(const Vec3q& d, double) {
  const auto [s, t, u, v, w] = closest_on_edges(d);
  return norm(w + u * s - v * t);
}

template <>
std::array<double, 4> closest_weights<PairKind::edge_edge>(const Vec3q& d) {
  const EdgeParameters p = closest_on_edges(d);
  return {1 - p.s, p.s, 1 - p.t, p.t};
}

}  // namespace toccata
