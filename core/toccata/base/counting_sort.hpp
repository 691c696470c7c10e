// Parallel counting sort: distributes entries over buckets and keeps their order in each bucket.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "toccata/base/parallel_for.hpp"

namespace toccata {

/// Calls put(entry, position) for all entries. The positions of a bucket are consecutive and follow
/// the order of its entries. `visit_entries(i, visit)` calls visit(entry, bucket) for each entry of
/// item i. It is called twice, and both calls must visit the same entries, at most `most` per item.
///
/// Returns the first position of each bucket, and the number of entries last.
template <std::size_t most = 1, class VisitThings, class Put>
std::vector<std::size_t> counting_sort(std::size_t count, std::size_t buckets, unsigned threads,
                                       const VisitThings& visit_entries, const Put& put) {
  // Each portion of the items has its own range of positions in each bucket. The ranges follow the
  // order of the portions.
  const std::size_t grain = even_grain(count), portions = (count + grain - 1) / grain;
  std::vector<std::size_t> positions(portions * buckets), first(buckets + 1);
  const auto in_portions = [&](const auto& visit) {
    parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end, unsigned) {
      std::size_t* const position = positions.data() + begin / grain * buckets;
      for (std::size_t i = begin; i < end; ++i) visit(i, position);
    });
  };
  in_portions([&](std::size_t i, std::size_t* number) {
    visit_entries(i, [number](const auto&, std::size_t bucket) { ++number[bucket]; });
  });
  std::size_t next = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    first[b] = next;
    for (std::size_t c = 0; c < portions; ++c)
      next += std::exchange(positions[c * buckets + b], next);
  }
  first[buckets] = next;
  in_portions([&](std::size_t i, std::size_t* position) {
    // All positions of an item are taken before its first entry is put. Otherwise the processor
    // would not know the address of the write and would wait before reading the next position.
    std::array<std::size_t, most> taken;
    std::size_t n = 0;
    visit_entries(i, [&](const auto&, std::size_t bucket) { taken[n++] = position[bucket]++; });
    n = 0;
    visit_entries(i, [&](const auto& entry, std::size_t) { put(entry, taken[n++]); });
  });
  return first;
}

}  // namespace toccata
