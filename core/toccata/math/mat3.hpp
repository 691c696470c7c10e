// 3 x 3 matrices, stored by columns. The columns of a rotation are the axes of the rotated frame.
#pragma once

#include "toccata/math/vec3.hpp"

namespace toccata {

template <class T>
struct Mat3 {
  Vec3<T> x, y, z;  ///< columns
};

using Mat3d = Mat3<double>;
using Mat3f = Mat3<float>;

inline constexpr Mat3d identity3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

template <class T>
constexpr Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) {
  return m.x * v.x + m.y * v.y + m.z * v.z;
}
/// Returns transpose(m) * v. For a rotation, these are the coordinates of v in the rotated frame.
template <class T>
constexpr Vec3<T> transposed_times(const Mat3<T>& m, const Vec3<T>& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
template <class T>
constexpr Mat3<T> operator*(const Mat3<T>& m, const Mat3<T>& n) {
  return {m * n.x, m * n.y, m * n.z};
}
template <class T>
constexpr Mat3<T> transposed_times(const Mat3<T>& m, const Mat3<T>& n) {
  return {transposed_times(m, n.x), transposed_times(m, n.y), transposed_times(m, n.z)};
}
constexpr Mat3f to_float(const Mat3d& m) { return {to_float(m.x), to_float(m.y), to_float(m.z)}; }

}  // namespace toccata
