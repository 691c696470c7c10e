// Validation of pose matrices, and conversion to poses.
#include "toccata/math/pose.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

constexpr double rigid_to = 1e-6;
constexpr double largest_translation = 1e15;

[[noreturn]] void reject(const char* argument, std::ptrdiff_t row, const char* got) {
  std::string where = row < 0 ? "" : "row " + std::to_string(row) + ": ";
  throw std::invalid_argument(std::string(argument) + ": " + where +
                              "expected a rigid pose, got a matrix " + got);
}

Mat3d rotation_of(const double* m) {
  return {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}};
}
Vec3d translation_of(const double* m) { return {m[3], m[7], m[11]}; }

}  // namespace

void check_pose(const double* m, const char* argument, std::ptrdiff_t row) {
  for (int i = 0; i < 16; ++i)
    if (!std::isfinite(m[i])) reject_not_finite(argument, m[i], row < 0 ? i / 4 : row);
  const double last =
      std::max({std::abs(m[12]), std::abs(m[13]), std::abs(m[14]), std::abs(m[15] - 1)});
  if (last > rigid_to) reject(argument, row, "whose last row is not 0 0 0 1");
  const Mat3d r = rotation_of(m);
  const double skew =
      std::max({std::abs(dot(r.x, r.y)), std::abs(dot(r.x, r.z)), std::abs(dot(r.y, r.z)),
                std::abs(norm2(r.x) - 1), std::abs(norm2(r.y) - 1), std::abs(norm2(r.z) - 1)});
  if (skew > rigid_to) reject(argument, row, "that scales or shears");
  if (dot(cross(r.x, r.y), r.z) < 0) reject(argument, row, "that mirrors");
  if (norm1(translation_of(m)) > largest_translation)
    reject(argument, row, "with a translation beyond 1e15");
}

Pose pose_of(const double* m) { return {to_matrix(to_quat(rotation_of(m))), translation_of(m)}; }

Pose read_pose(const double* m, const char* argument, std::ptrdiff_t row) {
  check_pose(m, argument, row);
  return pose_of(m);
}

void write_pose(const Pose& pose, double* m) {
  const Mat3d& r = pose.rotation;
  const Vec3d& t = pose.translation;
  const double rows[16] = {r.x.x, r.y.x, r.z.x, t.x, r.x.y, r.y.y, r.z.y, t.y,
                           r.x.z, r.y.z, r.z.z, t.z, 0,     0,     0,     1};
  std::copy(rows, rows + 16, m);
}

}  // namespace toccata
