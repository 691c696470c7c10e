// The sides of all elements of a mesh, sorted such that equal ones meet.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "toccata/base/unfilled_vector.hpp"
#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// The side of an element from corner k to corner k + 1, but for its lower vertex. Sorts by upper
/// vertex, element and k.
struct SideKey {
  std::uint64_t bits;  ///< 32 for the upper vertex, 29 for the element, 2 for k, 1 for `falls`

  Index upper() const { return static_cast<Index>(bits >> 32); }
  std::size_t element() const { return static_cast<std::uint32_t>(bits) >> 3; }
  int k() const { return static_cast<int>(bits >> 1 & 3); }
  bool falls() const { return bits & 1; }  ///< whether the lower vertex is at corner k + 1

  auto operator<=>(const SideKey&) const = default;
};

/// Packed, since the time to write them all is felt.
struct [[gnu::packed]] Side {
  Index lower;
  SideKey key;
};

/// The keys of all sides with a lower vertex in some range.
struct SortedKeys {
  UnfilledVector<SideKey> keys;     ///< vertex after vertex, and sorted for each
  std::vector<std::uint32_t> ends;  ///< of each vertex
};

/// All sides. A bucket holds those of a range of lower vertices, in the order of elements.
class SideBuckets {
 public:
  SideBuckets(const Features& features, unsigned threads);

  std::size_t count() const { return first_.size() - 1; }
  Index first_vertex(std::size_t b) const { return static_cast<Index>(b << shift_); }
  std::span<Side> bucket(std::size_t b) {
    return std::span(sides_).subspan(first_[b], first_[b + 1] - first_[b]);
  }
  std::span<const Side> bucket(std::size_t b) const {
    return std::span(sides_).subspan(first_[b], first_[b + 1] - first_[b]);
  }
  SortedKeys sorted_keys(std::size_t b) const;

 private:
  int shift_;  ///< vertex v is in bucket v >> shift
  UnfilledVector<Side> sides_;
  std::vector<std::size_t> first_;
};

}  // namespace toccata
