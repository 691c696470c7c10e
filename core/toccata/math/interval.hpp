// Interval arithmetic with outward rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "toccata/math/vec3.hpp"

namespace toccata {

/// Closed interval [lo, hi]. Every operation rounds outward: the exact result stays inside.
struct Interval {
  double lo = 0, hi = 0;
  constexpr Interval() = default;
  constexpr Interval(double value) : lo(value), hi(value) {}  // NOLINT: implicit conversion
  constexpr Interval(double l, double h) : lo(l), hi(h) {}
};

// Rounding to nearest errs by at most half an ulp. |x| * 2^-52 + 2^-1074 is at least one ulp of x,
// so subtracting or adding it restores the enclosure. The code has no branches, so it vectorizes.
// It does not switch the rounding mode, which an optimizer could ignore.
inline double slack(double x) { return std::abs(x) * 0x1p-52 + 0x1p-1074; }
inline double below(double x) { return x - slack(x); }
inline double above(double x) { return x + slack(x); }

inline Interval operator-(Interval a) { return {-a.hi, -a.lo}; }
inline Interval operator+(Interval a, Interval b) {
  return {below(a.lo + b.lo), above(a.hi + b.hi)};
}
inline Interval operator-(Interval a, Interval b) {
  return {below(a.lo - b.hi), above(a.hi - b.lo)};
}
inline Interval operator*(Interval a, Interval b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {below(std::min(std::min(p, q), std::min(r, s))),
          above(std::max(std::max(p, q), std::max(r, s)))};
}
inline Interval abs(Interval a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return -a;
  return {0, std::max(-a.lo, a.hi)};
}
inline Interval square(Interval a) {
  const Interval m = abs(a);
  return {std::max(0.0, below(m.lo * m.lo)), above(m.hi * m.hi)};
}
/// Returns the square root of the values that are not negative. IEEE square roots round correctly.
inline Interval sqrt(Interval a) {
  return {std::max(0.0, below(std::sqrt(std::max(0.0, a.lo)))),
          above(std::sqrt(std::max(0.0, a.hi)))};
}
inline Interval hull(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline double width(Interval a) { return a.hi - a.lo; }
inline double middle(Interval a) { return a.lo + (a.hi - a.lo) / 2; }
inline bool contains(Interval a, double x) { return a.lo <= x && x <= a.hi; }
inline double clamp(double x, Interval range) { return std::min(std::max(x, range.lo), range.hi); }
/// Returns the largest absolute value.
inline double magnitude(Interval a) { return std::max(-a.lo, a.hi); }

// The sine and cosine of libm err by less than one ulp, as documented for glibc, musl and Apple.
// The slack here is four ulps. Beyond 2^20 the rounding of the argument is larger, and `cos`
// returns [-1, 1].
inline Interval trig_value(double x) { return {x - 0x1p-50, x + 0x1p-50}; }

/// Returns the range of the cosine: the values at the ends, and +-1 if a multiple of pi is inside.
inline Interval cos(Interval a) {
  constexpr double pi = std::numbers::pi;
  if (!(a.hi - a.lo < 2 * pi) || !(magnitude(a) < 0x1p20)) return {-1, 1};
  Interval range = hull(trig_value(std::cos(a.lo)), trig_value(std::cos(a.hi)));
  // 2^-30 covers the rounding of the quotient. A superfluous extremum only widens the result.
  const double first = std::ceil(a.lo / pi - 0x1p-30), last = std::floor(a.hi / pi + 0x1p-30);
  for (double k = first; k <= last; ++k) {
    if (std::fmod(k, 2.0) == 0) range.hi = 1;
    else range.lo = -1;
  }
  return {std::max(range.lo, -1.0), std::min(range.hi, 1.0)};
}
inline Interval sin(Interval a) {
  constexpr double half_pi = std::numbers::pi / 2;
  return cos(a - Interval{half_pi - 0x1p-52, half_pi + 0x1p-52});
}

using Vec3i = Vec3<Interval>;
inline Vec3i to_interval(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline Vec3d middle(const Vec3i& v) { return {middle(v.x), middle(v.y), middle(v.z)}; }

}  // namespace toccata
