// Bounding volumes. Oriented boxes and swept spheres are two fillings of one shape: a box that is
// offset by a radius.
#pragma once

#include <span>

#include "toccata/geometry/box.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

/// All points within `radius` of the box center + sum of s_i * axis_i, |s_i| <= half_i.
/// radius = 0: an oriented box. One half size 0: a rectangle-swept sphere; two: line-swept;
/// three: a sphere. Coordinates are relative to the mesh's center.
struct Volume {
  Mat3f axes;
  Vec3f center, half;
  float radius;
};

/// The two volumes of one set of points, in the same axes.
struct FittedVolumes {
  Volume box, swept;
  float reach;  ///< no point is farther from the common center
};

/// Orthonormal axes for a box around triangles (three points each): those of the area-weighted
/// covariance of their surface, then turned about one another as long as the box loses area.
Mat3d fit_axes(std::span<const Vec3d> corners);

/// The ranges of the points along the axes.
inline Box local_box(std::span<const Vec3d> points, const Mat3d& axes) {
  Box box;
  for (const Vec3d& p : points) extend(box, transposed_times(axes, p));
  return box;
}

/// Fits volumes around points (relative to the mesh's center) in the given orthonormal axes; of the
/// swept spheres, the kind with the smallest volume. Both contain the points in floating point.
FittedVolumes fit_volumes(std::span<const Vec3d> points, const Mat3d& axes);

/// Widens both volumes so that they contain all points within `margin` of the fitted ones.
void widen(FittedVolumes& volumes, double margin);

}  // namespace toccata
