// Segments, and the points of two of them that are closest to each other.
#pragma once

#include "toccata/math/vec3.hpp"

namespace toccata {

/// Places on two segments, each from 0 to 1.
struct SegmentParameters {
  double s, t;
};

/// Parameters of the closest points of segments a + s u and b + t v, with w = a - b, where the
/// determinant is mostly rounding: the best of the crossing, by cross products, which keep their
/// digits, and of the four ends. Points and segments without length included.
SegmentParameters nearly_parallel(const Vec3d& u, double uu, const Vec3d& v, double vv,
                                  const Vec3d& w);

/// The determinant uu vv - (u . v)^2 is mostly rounding unless it exceeds this share of uu vv.
inline constexpr double least_determinant = 1e-8;

struct PointPair {
  Vec3d a, b;
};
/// The closest points of segments a0 a1 and b0 b1.
PointPair closest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

}  // namespace toccata
