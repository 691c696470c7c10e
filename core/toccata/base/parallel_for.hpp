// A parallel loop over independent work items, with work stealing.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "toccata/base/interruption.hpp"
#include "toccata/base/thread_pool.hpp"

namespace toccata {

/// How many items a thread takes at once where all cost about the same: so few that threads end
/// together, and so many that the overhead is small.
inline std::size_t even_chunk(std::size_t count) {
  return std::max<std::size_t>(count / 64 + 1, 512);
}

/// The items of one worker. Others steal from them when their own are done. From loop to loop most
/// items of a thread are the same, and in its cache.
struct Share {
  alignas(128) std::atomic<std::size_t> next{0};  // no false sharing
  std::size_t end = 0;
};

/// Calls `body(begin, end, worker)` for chunks that cover [0, count), from multiples of `chunk` on.
/// Each item writes only its own results, so the outcome does not depend on the number of threads.
/// The first exception is rethrown. The loop can be interrupted between chunks.
template <class Body>
void parallel_for(std::size_t count, std::size_t chunk, unsigned threads, const Body& body) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  std::vector<Share> shares(std::min<std::size_t>(threads, chunks));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i].next = i * chunks / shares.size() * chunk;
    shares[i].end = std::min((i + 1) * chunks / shares.size() * chunk, count);
  }
  std::exception_ptr failure;
  std::mutex failure_mutex;
  Interruptible* const caller = Interruptible::current();
  const auto work = [&](unsigned worker) {
    const Interruptible::Helper helper(caller);
    try {
      for (std::size_t i = 0; i < shares.size(); ++i) {
        Share& share = shares[(worker + i) % shares.size()];
        for (std::size_t begin; (begin = share.next.fetch_add(chunk)) < share.end;) {
          body(begin, std::min(begin + chunk, share.end), worker);
          interruption_point();
        }
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      for (Share& share : shares) share.next = count;
    }
  };
  run_together(static_cast<unsigned>(shares.size()), work);
  if (failure) std::rethrow_exception(failure);
  interruption_point();  // the caller may have been told to end while it waited for others
}

}  // namespace toccata
