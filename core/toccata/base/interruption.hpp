// Interruption of long work by its caller, for example by Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>

#include "toccata/base/index.hpp"

namespace toccata {

/// Exception that ends interrupted work.
struct Interrupted {};

/// Scope in which the work of the current thread, and of threads that help it, can be interrupted.
/// Nested scopes have no effect: the outermost one decides.
class Interruptible {
 public:
  /// Function that returns whether to interrupt. Called about ten times a second, only on the
  /// thread that constructed the scope. Must not throw.
  using Wanted = bool (*)();

  explicit Interruptible(Wanted wanted) : wanted_(wanted), thread_(&current_) {
    if (!current_) current_ = this;
  }
  ~Interruptible() {
    if (current_ == this) current_ = nullptr;
  }
  Interruptible(const Interruptible&) = delete;

  /// Returns the scope for which this thread works, or null if its work cannot be interrupted.
  static Interruptible* current() { return current_; }

  /// Returns whether the work is to be interrupted. On the thread that constructed the scope, calls
  /// `wanted` if 0.1 seconds have passed since the last call.
  bool is_wanted();

  /// Scope in which a helping thread works for the interruptible scope of its caller.
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
  // The address of this thread-local variable identifies the thread.
  const void* thread_;
  Clock::time_point due_{};
  std::atomic<bool> stopped_{false};
  static thread_local Interruptible* current_;
};

/// Throws `Interrupted` if the work of this thread is to be interrupted.
void interruption_point();

/// Does the same in every 256th step of a caller that counts its steps.
inline void interruption_point(Count step) {
  // A step takes between 0.1 and a few hundred microseconds.
  if ((step & 0xff) == 0) interruption_point();
}

/// Takes one unit of work from a budget. Returns false if none was left.
inline bool spend(Count& budget) {
  interruption_point(--budget);
  return budget >= 0;
}

}  // namespace toccata
