// Waiting without going to sleep.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace toccata {

/// Waits until `ready()`, for as long as it takes to put a thread to sleep and to wake it up; false
/// if that was not enough. Others that have work may run meanwhile.
template <class Ready>
bool spin_until(const Ready& ready) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::microseconds(200);
  do {
    if (ready()) return true;
    std::this_thread::yield();
  } while (Clock::now() < end);
  return ready();
}

/// A mutex for what takes less than a microsecond: those who wait for it do not sleep.
class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace toccata
