// Rotations as unit quaternions, rotation vectors and matrices.
#pragma once

#include <cmath>

#include "toccata/math/mat3.hpp"

namespace toccata {

/// Unit quaternion w + x i + y j + z k.
struct Quat {
  double w, x, y, z;
};

inline Quat normalized(const Quat& q) {
  const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
constexpr Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

constexpr Mat3d to_matrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

/// Converts a rotation matrix to a quaternion. Divides by the largest of the four components, which
/// is at least one half, so no case loses digits.
inline Quat to_quat(const Mat3d& m) {
  const double a = m.x.x, b = m.y.y, c = m.z.z;
  Quat q{};
  if (a + b + c > std::fmax(a, std::fmax(b, c))) {
    q = {1 + a + b + c, m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
  } else if (a >= b && a >= c) {
    q = {m.y.z - m.z.y, 1 + a - b - c, m.x.y + m.y.x, m.z.x + m.x.z};
  } else if (b >= c) {
    q = {m.z.x - m.x.z, m.x.y + m.y.x, 1 - a + b - c, m.y.z + m.z.y};
  } else {
    q = {m.x.y - m.y.x, m.z.x + m.x.z, m.y.z + m.z.y, 1 - a - b + c};
  }
  return normalized(q);
}

/// Returns the rotation by |v| radians about v.
inline Quat exp_rotation(const Vec3d& v) {
  const double angle = norm(v);
  // sin(x/2)/x tends to 1/2; below 1e-8 the next term is under one ulp.
  const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;
  return normalized({std::cos(angle / 2), v.x * s, v.y * s, v.z * s});
}

/// Returns the rotation vector of a quaternion, with a length of at most pi.
inline Vec3d log_rotation(Quat q) {
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec3d v{q.x, q.y, q.z};
  const double s = norm(v);
  // atan2 keeps full precision both near zero and near pi.
  return v * (s > 1e-9 ? 2 * std::atan2(s, q.w) / s : 2 / q.w);
}

/// Returns the rotation vector, in world axes, that rotates frame `start` to frame `end` by at most
/// pi.
inline Vec3d rotation_between(const Mat3d& start, const Mat3d& end) {
  return log_rotation(normalized(to_quat(end) * conjugate(to_quat(start))));
}

}  // namespace toccata
