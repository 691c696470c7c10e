// Motions as rows of arrays, as callers give them: one for each body, or for each question.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "toccata/motion/motion.hpp"

namespace toccata {

/// How a body gets from a pose to another.
enum class PathKind : std::uint8_t { linear, screw };

/// Row-major.
using Matrix4 = std::array<double, 16>;

/// Throws `invalid_argument` naming the row of a matrix that is not a rigid pose.
void check_poses(std::span<const Matrix4> poses, const std::string& argument);

/// Poses at the start, and either poses at the end or twists; bodies stay if there is neither. Of a
/// twist, one of the two vectors may be missing: it is zero.
struct MotionRows {
  std::span<const Matrix4> start, end;
  std::span<const Vec3d> linear, angular;
  PathKind kind = PathKind::linear;

  std::size_t size() const { return start.size(); }

  /// Throws `invalid_argument` for rows that are not as many as those of `start`, for what is not a
  /// rigid pose, and for what is not finite. `suffix` is what the names of the arguments end in.
  void check(const char* suffix = "") const;

  /// Of a row that was checked.
  Motion operator[](std::size_t row) const;
};

}  // namespace toccata
