// Threads that are kept between loops: to make one takes longer than many a loop.
#pragma once

namespace toccata {

/// Calls `work(what, worker)` as worker 0, and as workers 1 .. threads - 1 on other threads as far
/// as some come in time. So whoever is there has to do all that is left to do, and must not throw.
/// Returns when all are back. May be called by several threads at once, from within such work, and
/// in a process that was forked from one that has done so.
void run_together(unsigned threads, void (*work)(const void* what, unsigned worker),
                  const void* what);

/// The same for anything that can be called with the number of a worker.
template <class Work>
void run_together(unsigned threads, const Work& work) {
  run_together(
      threads, [](const void* what, unsigned worker) { (*static_cast<const Work*>(what))(worker); },
      &work);
}

}  // namespace toccata
