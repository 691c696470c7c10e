// Many queries of the same two bodies at once.
#pragma once

#include <array>
#include <span>

#include "toccata/bvh/mesh.hpp"
#include "toccata/walk/contact.hpp"
#include "toccata/walk/options.hpp"

namespace toccata {

enum class PathKind : std::uint8_t { linear, screw };

/// Row-major.
using Matrix4 = std::array<double, 16>;

/// Throws `invalid_argument` naming the row of a matrix that is not a rigid pose.
void check_poses(std::span<const Matrix4> poses, const char* argument);

/// Poses of both bodies at both ends; those of b may be empty (b stays where it is).
struct PosePaths {
  std::span<const Matrix4> start_a, end_a, start_b, end_b;
  PathKind kind = PathKind::linear;
};

/// Answers one query per path. The outcome does not depend on the number of threads.
Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PosePaths& paths,
                             const Options& options, unsigned threads);

}  // namespace toccata
