// Busy waiting: threads spin instead of going to sleep.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace toccata {

/// Tells the processor that this thread spins.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `ready()`, for several times as long as it takes to wake a thread. Returns false if
/// that was not enough. Does not yield: on a busy machine the thread would be scheduled again only
/// after milliseconds.
template <class Ready>
bool spin_until(const Ready& ready) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::microseconds(200);
  do {
    if (ready()) return true;
    pause();
  } while (Clock::now() < end);
  return ready();
}

/// Spins until `ready()`, which other threads usually achieve within some microseconds. Yields now
/// and then, because the other thread may not be running.
template <class Ready>
void yield_until(const Ready& ready) {
  for (int tries = 1; !ready(); ++tries) {
    if (tries % 64 == 0) std::this_thread::yield();
    else pause();
  }
}

/// Spin lock for critical sections of less than a microsecond.
class SpinLock {
 public:
  void lock() {
    yield_until([this] { return try_lock(); });
  }
  bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace toccata
