// Many queries of the same two bodies at once.
#pragma once

#include <span>

#include "toccata/query/contact.hpp"
#include "toccata/query/options.hpp"
#include "toccata/bvh/mesh.hpp"

namespace toccata {

enum class PathKind : std::uint8_t { linear, screw };

/// Poses of both bodies at both ends; those of b may be empty (b stays where it is).
struct PosePaths {
  std::span<const Pose> start_a, end_a, start_b, end_b;
  PathKind kind = PathKind::linear;
};

/// Answers query i into `results[i]`. The outcome does not depend on the number of threads.
void first_contact_batch(const Mesh& a, const Mesh& b, const PosePaths& paths,
                         const Options& options, unsigned threads, std::span<Contact> results);

}  // namespace toccata
