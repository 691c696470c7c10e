// Lengths scaled by powers of two, which is exact. Bounds are computed from squares of lengths in
// single precision and from higher powers in double: a query whose lengths are too small or too
// large for that is asked about bodies that are scaled, and its answer is scaled back.
#pragma once

#include <algorithm>
#include <cmath>

#include "toccata/math/pose.hpp"

namespace toccata {

/// The exponent of the power of two by which all lengths of a query should be multiplied, if
/// `extent` is the largest of them. 0 in the ordinary range, which holds all that input may have
/// above 2^-32. Lengths that are much smaller than the largest may become subnormal by a scaling
/// down: that changes them by less than 2^-1000 of the largest, and 2^-48 of it are granted to
/// rounding.
inline int scaling_for(double extent) {
  constexpr double least = 0x1p-32, most = 0x1p52;
  if (extent == 0 || (extent >= least && extent <= most)) return 0;
  return scale_exponent(extent);  // twice, where lengths are subnormal
}

inline double scaled(double x, int exponent) { return std::ldexp(x, exponent); }
inline Vec3d scaled(const Vec3d& v, int exponent) {
  return {scaled(v.x, exponent), scaled(v.y, exponent), scaled(v.z, exponent)};
}
inline Pose scaled(const Pose& pose, int exponent) {
  return {pose.rotation, scaled(pose.translation, exponent)};
}

/// A separation or a tolerance of lengths that become ordinary. Beyond all of them it makes no
/// difference how large it is.
inline double scaled_distance(double distance, int exponent) {
  return std::min(scaled(distance, exponent), 0x1p60);
}

}  // namespace toccata
