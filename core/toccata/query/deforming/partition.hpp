// Things in disjoint parts.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/unfilled_vector.hpp"

namespace toccata {

/// Part i holds the things order[first[i]] .. order[first[i + 1] - 1].
struct Partition {
  UnfilledVector<Index> order;
  std::vector<Index> first{0};

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const Index> part(Index i) const {
    return std::span(order).subspan(first[i], first[i + 1] - first[i]);
  }
  /// Ends a part with the last thing in `order`.
  void close_part() { first.push_back(static_cast<Index>(order.size())); }
};

}  // namespace toccata
