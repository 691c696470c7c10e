// Vectors of three coordinates of any scalar type.
#pragma once

#include <algorithm>
#include <cmath>

#include "toccata/math/scalar.hpp"

namespace toccata {

/// Three coordinates of any scalar: double, Interval, or a SIMD Pack.
template <class T>
struct Vec3 {
  T x, y, z;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
static_assert(sizeof(Vec3d) == 3 * sizeof(double), "numpy (n, 3) arrays are viewed in place");

template <class T>
constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T, class S>
constexpr Vec3<T> operator*(const Vec3<T>& a, const S& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T, class U>
constexpr auto dot(const Vec3<T>& a, const Vec3<U>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T, class U>
constexpr auto cross(const Vec3<T>& a, const Vec3<U>& b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
constexpr Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) {
  using std::min;
  return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
template <class T>
constexpr Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) {
  using std::max;
  return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}
template <class T>
constexpr Vec3<T> abs(const Vec3<T>& a) {
  using std::abs;
  return {abs(a.x), abs(a.y), abs(a.z)};
}
/// Returns a vector with three equal coordinates.
template <class T>
constexpr Vec3<T> all_three(const T& x) {
  return {x, x, x};
}

constexpr double norm2(const Vec3d& a) { return dot(a, a); }
inline double norm(const Vec3d& a) { return std::sqrt(norm2(a)); }
inline double norm1(const Vec3d& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }
/// Returns a vector of length 1. The length of `a` must not be 0.
inline Vec3d unit(const Vec3d& a) { return a * (1 / norm(a)); }
/// Returns a vector of length 1, or zero if the length of `a` is 0.
inline Vec3d unit_or_zero(const Vec3d& a) {
  const double length = norm(a);
  return length > 0 ? a * (1 / length) : Vec3d{0, 0, 0};
}
/// Returns the component of a vector perpendicular to a unit vector.
constexpr Vec3d perpendicular(const Vec3d& a, const Vec3d& axis) { return a - axis * dot(axis, a); }
/// Returns the coordinate axis with the largest angle to a direction.
inline Vec3d far_axis(const Vec3d& direction) {
  const Vec3d a = abs(direction);
  if (a.x <= a.y && a.x <= a.z) return {1, 0, 0};
  return a.y <= a.z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}
/// Returns the largest absolute value of a coordinate.
inline double largest(const Vec3d& a) {
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}
inline bool is_finite(const Vec3d& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
constexpr Vec3f to_float(const Vec3d& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
constexpr Vec3d to_double(const Vec3f& a) { return {a.x, a.y, a.z}; }

}  // namespace toccata
