// Bounding volumes: oriented boxes and swept spheres, both represented as a box with a radius.
#pragma once

#include <span>

#include "toccata/geometry/box.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

/// All points within `radius` of the box center + sum of s_i * axis_i, |s_i| <= half_i. An oriented
/// box has radius 0. A rectangle-swept sphere has one half size of 0, a line-swept sphere two, and
/// a sphere three. Coordinates are relative to the mesh's center.
struct Volume {
  Mat3f axes;
  Vec3f center, half;
  float radius;
};

/// The two volumes of one set of points, with the same axes.
struct FittedVolumes {
  Volume box, swept;
  float reach;  ///< largest distance of a point from the common center
};

/// Returns orthonormal axes for a box around triangles (three points each): the eigenvectors of the
/// area-weighted covariance of their surface, rotated about one another until the area of the box
/// stops falling.
Mat3d fit_axes(std::span<const Vec3d> corners);

/// Returns the ranges of the points along the axes.
inline Box local_box(std::span<const Vec3d> points, const Mat3d& axes) {
  Box box;
  for (const Vec3d& p : points) extend(box, transposed_times(axes, p));
  return box;
}

/// Fits volumes to points (relative to the mesh's center) in the given orthonormal axes. The swept
/// sphere is of the kind with the smallest volume. Both volumes contain the points in floating
/// point.
FittedVolumes fit_volumes(std::span<const Vec3d> points, const Mat3d& axes);

/// Widens both volumes to contain all points within `margin` of the fitted points.
void widen(FittedVolumes& volumes, double margin);

}  // namespace toccata
