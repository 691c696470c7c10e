// Convex hulls of four points with a margin: the shape that bounds both triangles and cells of
// surfaces.
#pragma once

#include <array>

#include "toccata/geometry/box.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// All points within `radius` of the convex hull of the corners. Corners may coincide: a triangle
/// repeats its last corner and has radius 0. The corners of a cell have the order (lo, lo), (hi,
/// lo), (lo, hi), (hi, hi) of its two directions.
struct Hull {
  std::array<Vec3d, 4> corner;
  double radius = 0;
};

inline Hull operator*(const Pose& pose, const Hull& hull) {
  return {
      {pose * hull.corner[0], pose * hull.corner[1], pose * hull.corner[2], pose * hull.corner[3]},
      hull.radius};
}

/// Converts a box to a hull: the rectangle across its shortest side, with half of that side as
/// margin.
Hull hull_of(const Box& box);

/// Returns the bounding box of a hull, rounded outward.
Box box_of(const Hull& hull);

/// Result of a separation test of two hulls: a unit vector from b to a, the gap along it (negative
/// if no separating direction was found), and the closest points without margins.
struct HullGap {
  Vec3d normal;
  double gap;
  Vec3d point_a, point_b;
};

/// Returns the gap along the unit vector n. Up to rounding, it is a lower bound of the distance for
/// every n.
double gap_along(const Vec3d& n, const Hull& a, const Hull& b);

/// Searches for the direction of the widest gap (Gilbert, Johnson and Keerthi 1988), starting from
/// direction `start`, which may be zero. Distances up to `reach` count as contact. The gap is
/// always a lower bound of the distance. It loses at most 1/8 of the room beyond `reach`
/// (`test_surface`), or 2^-50 of the largest coordinate of the difference of the hulls, by
/// rounding.
HullGap separate(const Hull& a, const Hull& b, const Vec3d& start, double reach = 0);

}  // namespace toccata
