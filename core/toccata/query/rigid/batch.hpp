// Many queries of the same two bodies at once.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/query/contact.hpp"
#include "toccata/query/options.hpp"

namespace toccata {

enum class PathKind : std::uint8_t { linear, screw };

/// Row-major.
using Matrix4 = std::array<double, 16>;

/// Poses of both bodies at both ends; those of b may be empty (b stays where it is).
struct PosePaths {
  std::span<const Matrix4> start_a, end_a, start_b, end_b;
  PathKind kind = PathKind::linear;
};

/// Answers side by side, one row per query; fields as in `Contact`.
struct Contacts {
  std::vector<std::uint8_t> status, feature;
  std::vector<double> toc, safe_until, tolerance, distance;
  std::vector<double> point_a, point_b, normal;  ///< three numbers per row
  std::vector<Index> element_a, element_b;

  explicit Contacts(std::size_t count);
  void set(std::size_t row, const Contact& contact);
};

/// Answers one query per path. The outcome does not depend on the number of threads.
Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PosePaths& paths,
                             const Options& options, unsigned threads);

}  // namespace toccata
