// A parallel loop over independent work items.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "toccata/base/thread_pool.hpp"

namespace toccata {

/// How many items a thread takes at once where all are alike: so few that threads end together, and
/// so many that to take them costs little.
inline std::size_t even_chunk(std::size_t count) {
  return std::max<std::size_t>(count / 64 + 1, 512);
}

/// Calls `body(begin, end, worker)` for chunks that cover [0, count). Each item writes only its own
/// results, so the outcome does not depend on the number of threads. The first exception is rethrown.
template <class Body>
void parallel_for(std::size_t count, std::size_t chunk, unsigned threads, const Body& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&](unsigned worker) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(chunk);
        if (begin >= count) return;
        body(begin, std::min(begin + chunk, count), worker);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  const auto chunks = (count + chunk - 1) / chunk;
  run_together(static_cast<unsigned>(std::min<std::size_t>(threads, chunks)), work);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace toccata
