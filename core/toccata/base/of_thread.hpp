// Memory that a thread keeps from call to call.
#pragma once

namespace toccata {

/// The only T of the calling thread. Not inlined, so that a loop finds it once, and not with every
/// access.
template <class T>
[[gnu::noinline]] T& of_thread() {
  thread_local T value;
  return value;
}

}  // namespace toccata
