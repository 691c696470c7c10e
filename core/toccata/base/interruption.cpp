// Polling of the caller's interruption, ten times a second.
#include "toccata/base/interruption.hpp"

namespace toccata {

thread_local Interruptible* Interruptible::current_ = nullptr;

bool Interruptible::is_wanted() {
  if (thread_ == &current_ && !stopped_.load(std::memory_order_relaxed)) {
    const Clock::time_point now = Clock::now();
    if (due_ != Clock::time_point{} && now >= due_) stopped_ = wanted_();
    if (due_ == Clock::time_point{} || now >= due_) due_ = now + std::chrono::milliseconds(100);
  }
  return stopped_.load(std::memory_order_relaxed);
}

void interruption_point() {
  Interruptible* const work = Interruptible::current();
  if (work && work->is_wanted()) throw Interrupted{};
}

}  // namespace toccata
