// Distribution of independent items over threads, such as the rows of a batch.
//
// Each thread gets a share of the items and takes them in ranges. A thread whose share is used up
// takes ranges from the shares of others (work stealing). Threads are kept between loops, because
// starting a thread takes longer than many a loop.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "toccata/base/interruption.hpp"

namespace toccata {

/// Calls `work(what, worker)` on this thread as worker 0, and on other threads as workers 1 to
/// `threads` - 1. Threads that are not available in time do not take part, so the workers must
/// finish all work among themselves, whatever their number. `work` must not throw. Returns when all
/// workers have finished.
///
/// May be called by several threads at once, from within `work`, and in a process forked from one
/// that has called it.
void run_together(unsigned threads, void (*work)(const void* what, unsigned worker),
                  const void* what);

/// Calls `work(worker)` in the same manner.
template <class Work>
void run_together(unsigned threads, const Work& work) {
  run_together(
      threads, [](const void* what, unsigned worker) { (*static_cast<const Work*>(what))(worker); },
      &work);
}

/// Returns the number of items that a thread takes at a time, if all items take about the same
/// time. It is small enough for threads to end together, and large enough for a small overhead.
inline std::size_t even_grain(std::size_t count) {
  return std::max<std::size_t>(count / 64 + 1, 512);
}

/// The items of one worker. Workers steal from the shares of others when their own is empty. In
/// successive loops a worker has mostly the same items, which are in its cache.
struct Share {
  // Padded to prevent false sharing.
  alignas(128) std::atomic<std::size_t> next{0};
  std::size_t end = 0;
};

/// Calls `body(begin, end, worker)` for ranges of at most `grain` items that partition [0, count).
/// Each range begins at a multiple of `grain`. Each item writes only its own results, so the
/// outcome does not depend on the number of threads. Rethrows the first exception. The loop can be
/// interrupted between ranges.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, unsigned threads, const Body& body) {
  const std::size_t portions = (count + grain - 1) / grain;
  std::vector<Share> shares(std::min<std::size_t>(threads, portions));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i].next = i * portions / shares.size() * grain;
    shares[i].end = std::min((i + 1) * portions / shares.size() * grain, count);
  }
  std::exception_ptr failure;
  std::mutex failure_mutex;
  Interruptible* const caller = Interruptible::current();
  const auto work = [&](unsigned worker) {
    const Interruptible::Helper helper(caller);
    try {
      for (std::size_t i = 0; i < shares.size(); ++i) {
        Share& share = shares[(worker + i) % shares.size()];
        for (std::size_t begin; (begin = share.next.fetch_add(grain)) < share.end;) {
          body(begin, std::min(begin + grain, share.end), worker);
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
  // The caller may have been interrupted while it waited for other threads.
  interruption_point();
}

}  // namespace toccata
