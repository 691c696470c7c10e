// Partitions of indices, and cells of a mesh: regions of space with about equal numbers of faces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// A partition of indices. Part i contains order[first[i]] .. order[first[i + 1] - 1].
struct Partition {
  UninitializedVector<Index> order;
  std::vector<Index> first{0};

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const Index> part(Index i) const {
    return std::span(order).subspan(first[i], first[i + 1] - first[i]);
  }
  /// Ends a part after the last index in `order`.
  void close_part() { first.push_back(static_cast<Index>(order.size())); }
};

/// Returns the indices of each owner, in ascending order.
inline Partition parts_of(std::span<const Index> owners, std::size_t count) {
  Partition parts;
  parts.first.resize(count + 1);
  for (const Index owner : owners) ++parts.first[owner + 1];
  for (std::size_t i = 1; i <= count; ++i) parts.first[i] += parts.first[i - 1];
  parts.order.resize(owners.size());
  std::vector<Index> next = parts.first;
  for (std::size_t i = 0; i < owners.size(); ++i)
    parts.order[next[owners[i]]++] = static_cast<Index>(i);
  return parts;
}

/// Cells of a mesh. A greedy algorithm, which takes faces one after the other among those that are
/// left, needs a single thread per cell, but works on several cells in parallel. The cells do not
/// depend on the number of threads, and neither does the result.
/// Small parts of a mesh are in one cell.
struct Cells {
  Partition faces;                          ///< faces of each cell, in ascending order
  UninitializedVector<std::uint8_t> owner;  ///< cell of each face

  Cells() = default;
  Cells(const Features& features, std::span<const Vec3d> vertices, unsigned threads);

  Index count() const { return faces.count(); }
};

}  // namespace toccata
