// Thread-local values that keep their buffers from call to call.
#pragma once

namespace toccata {

/// Returns the only T of the calling thread. Not inlined, to make a loop look up the address once
/// instead of at each access.
template <class T>
[[gnu::noinline]] T& of_thread() {
  thread_local T value;
  return value;
}

}  // namespace toccata
