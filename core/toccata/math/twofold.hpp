// Double-double arithmetic with the same bits on every platform: a number is a double and its
// rounding error (Dekker 1971; Joldes, Muller and Popescu 2017, algorithms 6 and 10).
#pragma once

#include <algorithm>
#include <cmath>

#include "toccata/math/vec3.hpp"

namespace toccata {

/// The number value + rest. `value` is that sum rounded to double.
struct Twofold {
  double value, rest;
};

/// Returns a + b exactly.
inline Twofold exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// Returns a + b exactly if |a| >= |b|.
inline Twofold exact_sum_of_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
/// Returns a b exactly if its size is below 2^996. Below 2^-969 it errs by at most 2^-1074. Avoids
/// std::fma, which is slow on processors without that instruction.
inline Twofold exact_product(double a, double b) {
  const auto upper_half = [](double x) {
    const double wide = 0x1.0000002p27 * x;
    return wide - (wide - x);
  };
  const double p = a * b, a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// Adds with an error below 2^-104 of the sum.
inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold value = exact_sum(a.value, b.value), rest = exact_sum(a.rest, b.rest);
  const Twofold sum = exact_sum_of_ordered(value.value, value.rest + rest.value);
  return exact_sum_of_ordered(sum.value, rest.rest + sum.rest);
}
inline Twofold operator-(const Twofold& a) { return {-a.value, -a.rest}; }
inline Twofold operator-(const Twofold& a, const Twofold& b) { return a + -b; }
/// Multiplies with an error below 2^-103 of the product.
inline Twofold operator*(const Twofold& a, const Twofold& b) {
  const Twofold p = exact_product(a.value, b.value);
  return exact_sum_of_ordered(p.value, p.rest + (a.value * b.rest + a.rest * b.value));
}

using Vec3t = Vec3<Twofold>;

/// Returns a - b exactly.
inline Vec3t exact_difference(const Vec3d& a, const Vec3d& b) {
  return {exact_sum(a.x, -b.x), exact_sum(a.y, -b.y), exact_sum(a.z, -b.z)};
}
inline Vec3d rounded(const Vec3t& v) { return {v.x.value, v.y.value, v.z.value}; }

/// Multiplies v by a power of two that scales its length to about 1, or to at least 2^-75. Products
/// of a few such vectors neither overflow nor underflow. Returns zero if v is zero or not finite.
inline Vec3t scaled(const Vec3t& v) {
  const double size = largest(rounded(v));
  if (!(size > 0) || !is_finite(rounded(v))) return {};
  const double factor = scale_for(size);
  const auto times = [&](const Twofold& x) { return Twofold{x.value * factor, x.rest * factor}; };
  return {times(v.x), times(v.y), times(v.z)};
}

}  // namespace toccata
