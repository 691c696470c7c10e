// Tests of pairs of vertices, edges and faces, with margins for rounding.
#include "toccata/narrow/features/near.hpp"

#include <algorithm>

namespace toccata {
namespace {

// Smallest ratio of height to length of a triangle that is not a needle.
constexpr double needle = 1e-4;
// Twice the angle between faces that count as one flat face (walk/feature_ranks.cpp).
constexpr double flat = 2e-6;

/// Returns whether two triangles are farther apart than `distance` along the normal of one of them.
/// The result is safe even if the normal is inaccurate, as for a needle.
bool is_beyond(const PlacedTriangle& triangle, const PlacedTriangle& plane, double distance) {
  const auto height = [&](const Vec3d& p) { return dot(plane.normal, p - plane.corner[0]); };
  const auto& [p, q, r] = triangle.corner;
  const double h[] = {height(p), height(q), height(r)};
  const double own[] = {height(plane.corner[1]), height(plane.corner[2])};
  const double above = std::min({h[0], h[1], h[2]}) - std::max({own[0], own[1], 0.0});
  const double below = std::min({own[0], own[1], 0.0}) - std::max({h[0], h[1], h[2]});
  return std::max(above, below) > distance * plane.size;
}

/// Returns whether a point on an edge is more than the margin away from both ends.
bool is_within(double fraction, double length, double margin) {
  return fraction * length > margin && (1 - fraction) * length > margin;
}

class Listing {
 public:
  Listing(const NearLimits& limits, std::vector<FeaturePair>& found)
      : distance_(limits.distance), margin_(limits.margin), found_(found) {}

  void vertices(const PlacedTriangle& a, const PlacedTriangle& b) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; a.owns_feature(i) && j < 3; ++j)
        if (b.owns_beside(a.rank[i], j))
          offer(Feature::vertex_vertex, i, j, a.corner[i], b.corner[j]);
  }

  /// Lists pairs of the vertices of a with the edges and the face of b. `turned` means that a and b
  /// are exchanged.
  void vertices_over(const PlacedTriangle& a, const PlacedTriangle& b, bool turned) {
    for (int i = 0; i < 3; ++i) {
      if (!a.owns_feature(i)) continue;
      if (a.rank[i] + b.face_rank <= 2) over_face(a.corner[i], i, b, turned);
      for (int j = 0; j < 3; ++j)
        if (b.owns_beside(a.rank[i], 3 + j)) over_edge(a.corner[i], i, b, j, turned);
    }
  }

  void edges(const PlacedTriangle& a, const PlacedTriangle& b) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; a.owns_feature(3 + i) && j < 3; ++j)
        if (b.owns_beside(a.rank[3 + i], 3 + j)) crossing(a, i, b, j);
  }

 private:
  /// Computes in the body coordinates of the face, which are exact. Rounding to world coordinates
  /// would tilt the plane of a needle.
  void over_face(const Vec3d& p, int i, const PlacedTriangle& face, bool turned) {
    const Vec3d& n = face.features.normal;
    const Vec3d here = transposed_times(face.pose.rotation, p - face.pose.translation);
    const double height = dot(n, here - face.body.corner[0]);
    if (!(std::abs(height) <= distance_) || !is_over(face, here, margin_, std::abs(height))) return;
    const Vec3d foot = face.pose * (here - n * height);
    if (turned) offer(Feature::face_vertex, 0, i, foot, p);
    else offer(Feature::vertex_face, i, 0, p, foot);
  }

  /// Returns whether the projection of a point, in body coordinates, is inside a face by more than
  /// the margin. An edge inside a flat face is not a boundary. Faces overlap there, so no point
  /// above the flat face is lost between two triangles.
  static bool is_over(const PlacedTriangle& face, const Vec3d& p, double margin, double height) {
    if (!(norm2(face.features.normal) > 0)) return false;
    for (int k = 0; k < 3; ++k) {
      const Vec3d &from = face.body.corner[k], &to = face.body.corner[next_corner(k)];
      const double inset = face.rank[3 + k] == 2 ? -(margin + flat * height) : margin;
      if (!(dot(cross(face.features.normal, to - from), p - from) > inset * face.length[k]))
        return false;
    }
    return true;
  }

  void over_edge(const Vec3d& p, int i, const PlacedTriangle& t, int j, bool turned) {
    const double fraction = dot(p - t.corner[j], t.edge[j]) / t.length2[j];
    if (!is_within(fraction, t.length[j], margin_)) return;
    const Vec3d foot = t.corner[j] + t.edge[j] * fraction;
    if (turned) offer(Feature::edge_vertex, j, i, foot, p);
    else offer(Feature::vertex_edge, i, j, p, foot);
  }

  /// Lists the closest points of two edges, unless the edges are parallel up to the margin. For
  /// parallel edges, pairs with their ends are listed instead.
  void crossing(const PlacedTriangle& a, int i, const PlacedTriangle& b, int j) {
    const Vec3d &u = a.edge[i], &v = b.edge[j], w = a.corner[i] - b.corner[j], c = cross(u, v);
    const double c2 = norm2(c), height = std::abs(dot(w, c));
    // The rounding error of c is below 2^-51 |u| |v| in each component.
    const double blur = 0x1p-49 * norm1(w) * a.length[i] * b.length[j];
    if (!(height - blur <= distance_ * std::sqrt(c2))) return;
    if (!(c2 > margin_ * margin_ * std::max(a.length2[i], b.length2[j]))) return;
    const double s = dot(cross(v, w), c) / c2;
    if (!is_within(s, a.length[i], margin_)) return;
    // Projects onto the other edge instead of using the same formula. Both points on nearly
    // parallel edges have large rounding errors, but the line between them is still perpendicular.
    const Vec3d on_a = a.corner[i] + u * s;
    const double t = dot(on_a - b.corner[j], v) / b.length2[j];
    if (!is_within(t, b.length[j], margin_)) return;
    offer(Feature::edge_edge, i, j, on_a, b.corner[j] + v * t);
  }

  void offer(Feature kind, int i, int j, const Vec3d& on_a, const Vec3d& on_b) {
    const double distance = norm(on_a - on_b);
    if (distance <= distance_)
      found_.push_back(
          {kind, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), on_a, on_b, distance});
  }

  double distance_, margin_;
  std::vector<FeaturePair>& found_;
};

/// Computes the point at which segment pq passes through the plane of a triangle. Returns false
/// unless both ends are more than the margin away from the plane, on different sides.
bool meet_plane(const PlacedTriangle& t, const Vec3d& p, const Vec3d& q, double margin,
                Vec3d& where) {
  const double hp = dot(t.normal, p - t.corner[0]), hq = dot(t.normal, q - t.corner[0]);
  const double least = margin * t.size;
  if (!((hp > least && hq < -least) || (hp < -least && hq > least))) return false;
  where = p + (q - p) * (hp / (hp - hq));
  return true;
}

/// Returns whether a point in the plane of a triangle is inside it by more than `inset`.
bool is_inside(const PlacedTriangle& t, const Vec3d& p, double inset) {
  for (int k = 0; k < 3; ++k)
    if (!(dot(cross(t.normal, t.edge[k]), p - t.corner[k]) > inset * t.size * t.length[k]))
      return false;
  return true;
}

}  // namespace

PlacedTriangle::PlacedTriangle(const Triangle& own, const Pose& at, const FaceFeatures& parts,
                               const FaceRanks* ranks)
    : body(own), pose(at), features(parts), corner((at * own).corner) {
  owned_to = {parts.owned, parts.owned, parts.owned};
  if (ranks) {
    rank = *ranks, face_rank = 2;
    for (int r = 0; r < 3; ++r)
      for (int i = 0; i < 6; ++i)
        if (rank[i] > std::min(r, 1)) owned_to[r] &= static_cast<std::uint8_t>(~(1u << i));
  }
  for (int i = 0; i < 3; ++i) {
    edge[i] = corner[next_corner(i)] - corner[i];
    length2[i] = norm2(edge[i]);
    length[i] = std::sqrt(length2[i]);
  }
  normal = cross(edge[0], edge[1]);
  size = norm(normal);
}

bool near_features(const PlacedTriangle& a, const PlacedTriangle& b, const NearLimits& limits,
                   std::vector<FeaturePair>& found) {
  if (is_beyond(a, b, limits.distance) || is_beyond(b, a, limits.distance)) return false;
  Listing list(limits, found);
  list.vertices(a, b);
  list.vertices_over(a, b, false);
  list.vertices_over(b, a, true);
  list.edges(a, b);
  return true;
}

bool pass_through(const PlacedTriangle& a, const PlacedTriangle& b, double margin, Vec3d& where) {
  Vec3d sum{0, 0, 0}, at;
  int count = 0;
  const auto look = [&](const PlacedTriangle& edges, const PlacedTriangle& face) {
    for (int i = 0; i < 3; ++i)
      if (meet_plane(face, edges.corner[i], edges.corner[next_corner(i)], margin, at) &&
          is_inside(face, at, margin))
        sum = sum + at, ++count;
  };
  look(a, b);
  look(b, a);
  if (count == 0) return false;
  where = sum * (1.0 / count);
  return true;
}

bool lies_between(const PlacedTriangle& triangle, const Vec3d& p, const Vec3d& q, double margin) {
  // Rounding moves corners by less than the margin. That tilts the plane of a needle, which may
  // then appear to lie between its own corner and an adjacent feature. Therefore needles never
  // count, and other triangles only beyond this error.
  const double longest = *std::max_element(triangle.length.begin(), triangle.length.end());
  if (triangle.size < needle * longest * longest) return false;
  const double far = norm1(p - triangle.corner[0]) + norm1(q - triangle.corner[0]);
  Vec3d at;
  return meet_plane(triangle, p, q, margin * (1 + 4 * longest * far / triangle.size), at) &&
         is_inside(triangle, at, -margin);
}

}  // namespace toccata
