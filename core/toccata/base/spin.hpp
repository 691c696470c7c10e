// Waiting without going to sleep.
#pragma once

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

}  // namespace toccata
