// Sides of all elements of a mesh, sorted to bring equal sides together.
#pragma once

#include <algorithm>
#include <compare>
#include <span>
#include <vector>

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/features.hpp"

namespace toccata {

/// A side of an element, from corner k to corner k + 1, without its lower vertex. Sorted by upper
/// vertex, element and k.
struct SideKey {
  std::uint64_t bits;  ///< 32 bits for the upper vertex, 29 for the element, 2 for k, 1 for `falls`

  Index upper() const { return static_cast<Index>(bits >> 32); }
  std::size_t element() const { return static_cast<std::uint32_t>(bits) >> 3; }
  int k() const { return static_cast<int>(bits >> 1 & 3); }
  bool falls() const { return bits & 1; }  ///< the lower vertex is at corner k + 1

  auto operator<=>(const SideKey&) const = default;
};

/// A side with its lower vertex. Packed, because the time to write all sides matters.
struct [[gnu::packed]] Side {
  Index lower;
  SideKey key;
};

/// All sides in buckets, one for each range of lower vertices, initially in the order of elements.
class SideBuckets {
 public:
  SideBuckets(const Features& features, unsigned threads);

  std::size_t count() const { return first_.size() - 1; }
  std::span<Side> bucket(std::size_t b) {
    return std::span(sides_).subspan(first_[b], first_[b + 1] - first_[b]);
  }
  /// Calls visit(lower, keys) for the edges of a bucket, in lexicographic order, with the keys of
  /// all sides of the edge. `visit` may overwrite the bucket.
  template <class Visit>
  void for_each_edge(std::size_t b, const Visit& visit);

 private:
  /// Keys of a bucket, sorted by vertex.
  struct Keys {
    UninitializedVector<SideKey> keys;
    std::vector<std::uint32_t> ends;  ///< end of the keys of each vertex
  };
  Keys keys_of(std::size_t b);

  int shift_;  ///< vertex v is in bucket v >> shift
  UninitializedVector<Side> sides_;
  std::vector<std::size_t> first_;
};

inline void sort_keys(SideKey* begin, SideKey* end) {
  constexpr std::ptrdiff_t few = 32;
  if (end - begin > few) return std::sort(begin, end);
  for (SideKey* next = begin; next < end; ++next) {
    const SideKey key = *next;
    SideKey* slot = next;
    for (; slot > begin && key < slot[-1]; --slot) *slot = slot[-1];
    *slot = key;
  }
}

template <class Visit>
void SideBuckets::for_each_edge(std::size_t b, const Visit& visit) {
  auto [keys, ends] = keys_of(b);
  SideKey* next = keys.data();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    SideKey* const end = keys.data() + ends[i];
    sort_keys(next, end);
    while (next < end) {
      const SideKey* const begin = next++;
      while (next < end && next->upper() == begin->upper()) ++next;
      visit(static_cast<Index>((b << shift_) + i), std::span<const SideKey>(begin, next));
    }
  }
}

}  // namespace toccata
