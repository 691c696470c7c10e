// Vectors of three coordinates, over any scalar.
#pragma once

#include <cmath>

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

constexpr double norm2(const Vec3d& a) { return dot(a, a); }
inline double norm(const Vec3d& a) { return std::sqrt(norm2(a)); }
inline double norm1(const Vec3d& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }
inline bool is_finite(const Vec3d& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
constexpr Vec3f to_float(const Vec3d& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
constexpr Vec3d to_double(const Vec3f& a) { return {a.x, a.y, a.z}; }

}  // namespace toccata
