// Scaling of lengths by powers of two, which is exact. Bounds use squares of lengths in single
// precision and higher powers in double precision. If the lengths of a query are too small or too
// large for that, the bodies are scaled, and the answer is scaled back.
#pragma once

#include <algorithm>
#include <cmath>

#include "toccata/math/pose.hpp"

namespace toccata {

/// Returns the exponent of the power of two by which to multiply all lengths of a query. `extent`
/// is the largest of the lengths. Returns 0 for extents from 2^-32 to 2^52; valid input is below
/// 2^52. Scaling down may make much smaller lengths subnormal. That changes them by less than
/// 2^-1000 of the largest length, and the bounds allow for errors of 2^-48 of it.
inline int scaling_for(double extent) {
  constexpr double least = 0x1p-32, most = 0x1p52;
  if (extent == 0 || (extent >= least && extent <= most)) return 0;
  return scale_exponent(extent);  // subnormal lengths need two scalings
}

inline double scaled(double x, int exponent) { return std::ldexp(x, exponent); }
inline Vec3d scaled(const Vec3d& v, int exponent) {
  return {scaled(v.x, exponent), scaled(v.y, exponent), scaled(v.z, exponent)};
}
inline Pose scaled(const Pose& pose, int exponent) {
  return {pose.rotation, scaled(pose.translation, exponent)};
}

/// Scales a separation or a tolerance. Limits the result to 2^60, which exceeds all scaled lengths.
inline double scaled_distance(double distance, int exponent) {
  return std::min(scaled(distance, exponent), 0x1p60);
}

}  // namespace toccata
