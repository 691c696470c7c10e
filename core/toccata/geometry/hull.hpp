// Convex hulls of four points with a margin: what cells of surfaces and triangles have in common.
#pragma once

#include <array>

#include "toccata/geometry/box.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// All points within `radius` of the convex hull of the corners. Corners may coincide: a triangle
/// repeats its last one and has radius 0. Those of a cell come in the order (lo, lo), (hi, lo),
/// (lo, hi), (hi, hi) of its two directions.
struct Hull {
  std::array<Vec3d, 4> corner;
  double radius = 0;
};

inline Hull operator*(const Pose& pose, const Hull& hull) {
  return {
      {pose * hull.corner[0], pose * hull.corner[1], pose * hull.corner[2], pose * hull.corner[3]},
      hull.radius};
}

/// A box as a hull: the rectangle across its shortest side, offset by half of that side.
Hull hull_of(const Box& box);

/// The box of a hull, rounded outward.
Box box_of(const Hull& hull);

/// What lies between two hulls: a unit vector from b to a along which they are `gap` apart
/// (negative when no such direction was found), and their closest points before the margins count.
struct HullGap {
  Vec3d normal;
  double gap;
  Vec3d point_a, point_b;
};

/// The gap along the unit vector n: a lower bound of the distance whatever n is, up to rounding.
double gap_along(const Vec3d& n, const Hull& a, const Hull& b);

/// Searches for the direction of the widest gap (Gilbert, Johnson and Keerthi 1988), starting from
/// the direction `guess`, which may be zero. Distances up to `reach` count as contact. The gap is a
/// lower bound of the distance in any case. It loses at most 1/8 of the room beyond `reach`
/// (`test_surface`), or rounding: 2^-50 of the largest coordinate of the difference of the hulls.
HullGap separate(const Hull& a, const Hull& b, const Vec3d& guess, double reach = 0);

}  // namespace toccata
