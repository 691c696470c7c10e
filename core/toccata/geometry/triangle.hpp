// Triangles, and the points of two of them that are closest to each other.
#pragma once

#include <array>
#include <cstdint>

#include "toccata/math/transform.hpp"

namespace toccata {

/// Three corners; degenerate ones (segments, points) are legal.
struct Triangle {
  std::array<Vec3d, 3> corner;
};

inline Triangle operator*(const Pose& pose, const Triangle& t) {
  return {{pose * t.corner[0], pose * t.corner[1], pose * t.corner[2]}};
}

/// Which features touch: of body a, then of body b. `surface`: at least one of them is curved.
enum class Feature : std::uint8_t { none, vertex_face, face_vertex, edge_edge, surface };

/// Two points, one of each triangle, and the distance between them. Both points are convex
/// combinations of corners, so the distance is an upper bound whatever was rounded on the way.
struct Closest {
  Vec3d point_a, point_b;
  double distance;
  Feature feature;
  std::uint8_t edge_a = 0, edge_b = 0;  ///< for edge_edge: edge i runs from corner i to corner i + 1
};

/// The closest point of a triangle to `p`.
Vec3d closest_point(const Triangle& triangle, const Vec3d& p);

struct SegmentParameters {
  double s, t;
};
/// Parameters of the closest points of segments a + s u and b + t v, with w = a - b, where the
/// determinant is mostly rounding: the best of the crossing, by cross products,
/// which keep their digits, and of the four ends. Points and segments without length included.
SegmentParameters closest_when_parallel(const Vec3d& u, double uu, const Vec3d& v, double vv,
                                        const Vec3d& w);

struct PointPair {
  Vec3d a, b;
};
/// The closest points of segments a0 a1 and b0 b1.
PointPair closest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

/// The closest points of two triangles that do not intersect. For those that do, some points.
Closest closest_features(const Triangle& a, const Triangle& b);

/// Whether an edge of one triangle passes through the other, up to rounding.
bool intersect(const Triangle& a, const Triangle& b, Vec3d& where);

/// The closest points of two triangles; for triangles that intersect, a point of the intersection
/// (twice), at distance 0.
Closest closest_points(const Triangle& a, const Triangle& b);

}  // namespace toccata
