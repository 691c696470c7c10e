// Things in disjoint parts.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/uninitialized_vector.hpp"

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

}  // namespace toccata
