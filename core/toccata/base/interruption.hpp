// Long work that its caller may end early, by Ctrl-C for example.
#pragma once

#include <atomic>
#include <chrono>

#include "toccata/base/index.hpp"

namespace toccata {

/// Thrown out of work that its caller no longer wants.
struct Interrupted {};

/// While one lives, the work of its thread, and of threads that help it, can be interrupted. The
/// one that was made first decides: those within it change nothing.
class Interruptible {
 public:
  /// Asked on this thread only, about ten times a second. Must not throw.
  using Wanted = bool (*)();

  explicit Interruptible(Wanted wanted) : wanted_(wanted), thread_(&current_) {
    if (!current_) current_ = this;
  }
  ~Interruptible() {
    if (current_ == this) current_ = nullptr;
  }
  Interruptible(const Interruptible&) = delete;

  /// The one that this thread works for; none if it cannot be interrupted.
  static Interruptible* current() { return current_; }

  /// Whether the work shall end; asks the caller if that is due and this is its thread.
  bool is_wanted();

  /// Lets a thread that helps work for the one that is current on the thread of the caller.
  class Helper {
   public:
    explicit Helper(Interruptible* work) : before_(current_) { current_ = work; }
    ~Helper() { current_ = before_; }
    Helper(const Helper&) = delete;

   private:
    Interruptible* before_;
  };

 private:
  using Clock = std::chrono::steady_clock;

  Wanted wanted_;
  const void* thread_;  // the address of a variable of each thread names it
  Clock::time_point due_{};
  std::atomic<bool> stopped_{false};
  static thread_local Interruptible* current_;
};

/// Throws if the work of this thread shall end.
void interruption_point();

/// The same, now and then, for a caller that counts its steps.
inline void interruption_point(Count step) {
  // A step takes from a tenth of a microsecond to some hundred of them.
  if ((step & 0xff) == 0) interruption_point();
}

/// Takes a unit of work from a budget; false if none is left.
inline bool spend(Count& budget) {
  interruption_point(--budget);
  return budget >= 0;
}

}  // namespace toccata
