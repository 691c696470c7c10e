// Closest points of two line segments.
#pragma once

#include "toccata/math/vec3.hpp"

namespace toccata {

/// Positions on two segments, each from 0 to 1.
struct SegmentParameters {
  double s, t;
};

/// Returns the parameters of the closest points of the segments a + s u and b + t v, with w = a -
/// b, if the determinant is dominated by rounding. Takes the best of the four ends and of the
/// crossing, which is computed by cross products to keep its digits. Accepts segments of length 0.
SegmentParameters nearly_parallel(const Vec3d& u, double uu, const Vec3d& v, double vv,
                                  const Vec3d& w);

/// Fraction of uu vv that the determinant uu vv - (u . v)^2 must exceed; below, rounding dominates
/// it.
inline constexpr double least_determinant = 1e-8;

struct PointPair {
  Vec3d a, b;
};
/// Returns the closest points of segments a0 a1 and b0 b1.
PointPair closest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

}  // namespace toccata
