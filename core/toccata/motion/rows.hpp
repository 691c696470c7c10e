// Motions as rows of arrays, one for each body or for each query of a batch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "toccata/motion/motion.hpp"

namespace toccata {

/// Interpolation between two poses.
enum class PathKind : std::uint8_t { linear, screw };

/// Row-major 4 x 4 matrix.
using Matrix4 = std::array<double, 16>;

/// Throws `invalid_argument` with the row of the first matrix that is not a rigid pose.
void check_poses(std::span<const Matrix4> poses, const std::string& argument);

/// Motions given by their start poses and either end poses or twists. Without both, the bodies do
/// not move. If one of the two vectors of a twist is missing, it is zero.
struct MotionRows {
  std::span<const Matrix4> start, end;
  std::span<const Vec3d> linear, angular;
  PathKind kind = PathKind::linear;

  std::size_t size() const { return start.size(); }

  /// Throws `invalid_argument` if the number of rows differs from `start`, if a matrix is not a
  /// rigid pose, or if a number is not finite. `suffix` is appended to the names of the arguments
  /// in messages.
  void check(const char* suffix = "") const;

  /// Returns the motion of a checked row.
  Motion operator[](std::size_t row) const;
};

}  // namespace toccata
