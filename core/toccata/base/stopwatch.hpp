// Stopwatch for the stages of a query.
#pragma once

#include <chrono>

namespace toccata {

/// Reads the clock only if times are requested: a reading takes about 25 nanoseconds, a tenth of
/// the work on a pair of triangles.
class Stopwatch {
 public:
  explicit Stopwatch(bool running = true) : running_(running) {
    if (running_) last_ = Clock::now();
  }

  /// Returns the seconds since the last lap, or since the start; 0 if not running.
  double lap() {
    if (!running_) return 0;
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool running_;
  Clock::time_point last_;
};

}  // namespace toccata
