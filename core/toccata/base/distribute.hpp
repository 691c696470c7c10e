// A parallel counting sort: things are distributed over buckets and keep their order.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "toccata/base/parallel_for.hpp"

namespace toccata {

/// Calls put(thing, place) for all things, such that those of a bucket have places one after the
/// other, in their order. `visit_things(i, visit)` has to call visit(thing, bucket) for the things
/// of item i, at most `most` and always the same. Returns the first place of each bucket, and the
/// number of things.
template <std::size_t most = 1, class VisitThings, class Put>
std::vector<std::size_t> distribute(std::size_t count, std::size_t buckets, unsigned threads,
                                    const VisitThings& visit_things, const Put& put) {
  // Each chunk of items has places of its own in each bucket, in the order of chunks.
  const std::size_t chunk = even_chunk(count), chunks = (count + chunk - 1) / chunk;
  std::vector<std::size_t> places(chunks * buckets), first(buckets + 1);
  const auto in_chunks = [&](const auto& visit) {
    parallel_for(count, chunk, threads, [&](std::size_t begin, std::size_t end, unsigned) {
      std::size_t* const place = places.data() + begin / chunk * buckets;
      for (std::size_t i = begin; i < end; ++i) visit(i, place);
    });
  };
  in_chunks([&](std::size_t i, std::size_t* number) {
    visit_things(i, [number](const auto&, std::size_t bucket) { ++number[bucket]; });
  });
  std::size_t next = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    first[b] = next;
    for (std::size_t c = 0; c < chunks; ++c) next += std::exchange(places[c * buckets + b], next);
  }
  first[buckets] = next;
  in_chunks([&](std::size_t i, std::size_t* place) {
    // All places of an item are taken before its first thing is put: a processor that does not yet
    // know where it writes to would wait before it reads the next place.
    std::array<std::size_t, most> taken;
    std::size_t n = 0;
    visit_things(i, [&](const auto&, std::size_t bucket) { taken[n++] = place[bucket]++; });
    n = 0;
    visit_things(i, [&](const auto& thing, std::size_t) { put(thing, taken[n++]); });
  });
  return first;
}

}  // namespace toccata
