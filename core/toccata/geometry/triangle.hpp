// Triangles, and the closest points of two triangles.
#pragma once

#include <array>
#include <cstdint>

#include "toccata/geometry/segment.hpp"
#include "toccata/math/pack.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// A triangle. Degenerate triangles (segments, points) are valid.
struct Triangle {
  std::array<Vec3d, 3> corner;
};

/// Returns the index of the corner that follows `i` around a triangle.
constexpr int next_corner(int i) { return i == 2 ? 0 : i + 1; }

inline Triangle operator*(const Pose& pose, const Triangle& t) {
  return {{pose * t.corner[0], pose * t.corner[1], pose * t.corner[2]}};
}

/// The corners of a triangle as a quad of points. The fourth lane repeats the first corner.
using Corners = Vec3<Quad>;

inline Corners corners_of(const Triangle& triangle) {
  const auto& [a, b, c] = triangle.corner;
  return {Quad{a.x, b.x, c.x, a.x}, Quad{a.y, b.y, c.y, a.y}, Quad{a.z, b.z, c.z, a.z}};
}
inline Vec3d corner(const Corners& corners, int i) {
  return {corners.x[i], corners.y[i], corners.z[i]};
}
inline Triangle triangle_of(const Corners& c) {
  return {{corner(c, 0), corner(c, 1), corner(c, 2)}};
}

inline Corners operator-(const Corners& corners, const Vec3d& from) {
  return {corners.x - from.x, corners.y - from.y, corners.z - from.z};
}
inline Corners operator*(const Pose& pose, const Corners& c) {
  const Mat3d& r = pose.rotation;
  const Vec3d& t = pose.translation;
  return {r.x.x * c.x + r.y.x * c.y + r.z.x * c.z + t.x,
          r.x.y * c.x + r.y.y * c.y + r.z.y * c.z + t.y,
          r.x.z * c.x + r.y.z * c.y + r.z.z * c.z + t.z};
}

/// Features in contact: one of body a, then one of body b. The values are indices of
/// `toccata.FEATURES`. `surface` stands for a curved body, or for two triangles that pass through
/// each other.
enum class Feature : std::uint8_t {
  vertex_face,
  face_vertex,
  edge_edge,
  vertex_edge,
  edge_vertex,
  vertex_vertex,
  surface,
  none = 255
};

/// Two points, one of each triangle, and their distance. Both points are convex combinations of
/// corners. Therefore the distance is an upper bound in spite of rounding.
struct Closest {
  Vec3d point_a, point_b;
  double distance;
  Feature feature;
  /// Edges, if the feature is edge_edge: edge i runs from corner i to corner i + 1.
  std::uint8_t edge_a = 0, edge_b = 0;
};

/// Returns the point of a triangle that is closest to `p`.
Vec3d closest_point(const Triangle& triangle, const Vec3d& p);

/// Returns the closest points of two triangles that do not intersect. For triangles that do, the
/// points are arbitrary.
Closest closest_features(const Corners& a, const Corners& b);

/// Returns whether an edge of one triangle passes through the other, up to rounding, and where.
bool intersect(const Triangle& a, const Triangle& b, Vec3d& where);

/// Returns the closest points of two triangles. If they intersect, both points are the same point
/// of the intersection, and the distance is 0.
Closest closest_points(const Triangle& a, const Triangle& b);

}  // namespace toccata
