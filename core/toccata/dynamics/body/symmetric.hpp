// Symmetric 3 x 3 matrices: inertias and their inverses.
#pragma once

#include <optional>

#include "toccata/math/mat3.hpp"

namespace toccata {

constexpr Mat3d operator+(const Mat3d& m, const Mat3d& n) {
  return {m.x + n.x, m.y + n.y, m.z + n.z};
}
constexpr Mat3d operator*(const Mat3d& m, double s) { return {m.x * s, m.y * s, m.z * s}; }
constexpr Mat3d transposed(const Mat3d& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
constexpr double trace(const Mat3d& m) { return m.x.x + m.y.y + m.z.z; }
constexpr Mat3d symmetric(const Mat3d& m) { return (m + transposed(m)) * 0.5; }
/// Returns the matrix with skew(v) w = v x w.
constexpr Mat3d skew(const Vec3d& v) { return {{0, v.z, -v.y}, {-v.z, 0, v.x}, {v.y, -v.x, 0}}; }

/// Returns rotation m rotation^T: a symmetric matrix in other axes.
constexpr Mat3d turned(const Mat3d& rotation, const Mat3d& m) {
  return symmetric(rotation * (m * transposed(rotation)));
}

/// Returns the inverse of a regular matrix, by cofactors.
constexpr Mat3d inverse(const Mat3d& m) {
  const Vec3d a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  return transposed(Mat3d{a, b, c} * (1 / dot(m.x, a)));
}

/// Returns the lower triangle L with L L^T = m, by columns; nothing unless m is positive definite.
inline std::optional<Mat3d> cholesky(const Mat3d& m) {
  Mat3d l{};
  if (!(m.x.x > 0)) return {};
  l.x = m.x * (1 / std::sqrt(m.x.x));
  const double y = m.y.y - l.x.y * l.x.y;
  if (!(y > 0)) return {};
  l.y = {0, std::sqrt(y), (m.y.z - l.x.z * l.x.y) / std::sqrt(y)};
  const double z = m.z.z - l.x.z * l.x.z - l.y.z * l.y.z;
  if (!(z > 0)) return {};
  l.z = {0, 0, std::sqrt(z)};
  return l;
}

}  // namespace toccata
