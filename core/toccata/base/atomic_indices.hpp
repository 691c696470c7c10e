// Indices of many things, to be read while others are being written.
#pragma once

#include <atomic>
#include <memory>

#include "toccata/base/index.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/base/unfilled_vector.hpp"

namespace toccata {

using AtomicIndices = UnfilledVector<std::atomic<Index>>;

inline AtomicIndices atomic_indices(std::size_t count, Index value, unsigned threads) {
  AtomicIndices all(count);
  parallel_for(count, even_chunk(count), threads,
               [&](std::size_t begin, std::size_t end, unsigned) {
                 for (std::size_t i = begin; i < end; ++i) std::construct_at(&all[i], value);
               });
  return all;
}

}  // namespace toccata
