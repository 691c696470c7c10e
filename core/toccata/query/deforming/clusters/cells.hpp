// Things in disjoint parts, and cells of a mesh: parts in space of about as many faces each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// Part i holds the things order[first[i]] .. order[first[i + 1] - 1].
struct Partition {
  UninitializedVector<Index> order;
  std::vector<Index> first{0};

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const Index> part(Index i) const {
    return std::span(order).subspan(first[i], first[i + 1] - first[i]);
  }
  /// Ends a part with the last thing in `order`.
  void close_part() { first.push_back(static_cast<Index>(order.size())); }
};

/// The things of each owner, in ascending order.
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

/// What takes one thing after the other, each among those that are left, would have to be done by
/// one thread. It stays within a cell instead, so that several cells can be worked on at once, and
/// the outcome is the same for any number of threads: cells do not depend on it.
struct Cells {
  Partition faces;                          ///< of each cell, in ascending order
  UninitializedVector<std::uint8_t> owner;  ///< the cell of each face

  Cells() = default;
  Cells(const Features& features, std::span<const Vec3d> vertices, unsigned threads);

  Index count() const { return faces.count(); }
};

}  // namespace toccata
