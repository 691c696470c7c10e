// Times of the stages of a query.
#pragma once

#include <chrono>

namespace toccata {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since the start.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace toccata
