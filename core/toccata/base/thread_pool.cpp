// Thread pool: keeps idle threads, and lets them help the callers of `run_together`.
#include "toccata/base/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "toccata/base/interruption.hpp"
#include "toccata/base/spin.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace toccata {
namespace {

/// Returns the index of the processor core that runs this thread, or -1 if the system does not
/// tell.
int this_core() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

/// Work of one calling thread and the threads that help it.
struct Job {
  void (*work)(const void* what, unsigned worker);
  const void* what;
  unsigned wanted;                ///< helpers that may still join
  int core = this_core();         ///< of the calling thread
  unsigned last = 0;              ///< worker that joined last
  std::atomic<unsigned> busy{0};  ///< helpers at work
  /// True if a helper runs on the core of the calling thread, because other processes occupy the
  /// remaining cores. The two would then take time from each other while one of them spins.
  std::atomic<bool> crowded{false};
};

class ThreadPool {
 public:
  void run(Job& job) {
    call(job);
    job.work(job.what, 0);
    dismiss(job);
  }

 private:
  using Lock = std::unique_lock<SpinLock>;

  void call(Job& job) {
    unsigned wanted = 0, sleepers = 0;
    {
      const std::lock_guard lock(lock_);
      jobs_.push_back(&job);
      for (const Job* one : jobs_) wanted += one->wanted;
      while (awake_ + asleep_ < wanted && add_thread()) {
      }
      if (wanted > awake_) sleepers = std::min(wanted - awake_, asleep_);
    }
    calls_.fetch_add(1, std::memory_order_release);
    for (; sleepers > 0; --sleepers) calls_.notify_one();
  }

  /// Returns whether a thread could be started. If the system has none left, the others do the
  /// work.
  bool add_thread() {
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    ++awake_;
    return true;
  }

  void dismiss(Job& job) {
    {
      const std::lock_guard lock(lock_);
      std::erase(jobs_, &job);
    }
    const auto all_back = [&job] { return job.busy.load(std::memory_order_acquire) == 0; };
    while (job.crowded.load(std::memory_order_relaxed) || !spin_until(all_back)) {
      std::unique_lock lock(returning_);
      if (returned_.wait_for(lock, std::chrono::milliseconds(100), all_back)) return;
      // Helpers see the interruption too, and come back sooner.
      if (Interruptible* const work = Interruptible::current()) work->is_wanted();
    }
  }

  /// Runs a pooled thread: joins jobs and rests, forever.
  void help() {
    Lock lock(lock_);
    for (bool crowded = false;;) {
      if (Job* job = next_job()) crowded = join(*job, lock);
      else rest(lock, crowded);
    }
  }

  Job* next_job() const {
    const auto it =
        std::find_if(jobs_.begin(), jobs_.end(), [](const Job* job) { return job->wanted > 0; });
    return it == jobs_.end() ? nullptr : *it;
  }

  /// Helps with a job. Returns whether the job is crowded.
  bool join(Job& job, Lock& lock) {
    --job.wanted;
    const unsigned worker = ++job.last;
    job.busy.fetch_add(1, std::memory_order_relaxed);
    --awake_;
    lock.unlock();
    const bool crowded = job.core != -1 && job.core == this_core();
    if (crowded) job.crowded.store(true, std::memory_order_relaxed);
    job.work(job.what, worker);
    // This is the last access to the job, which may be destroyed as soon as `busy` is 0.
    job.busy.fetch_sub(1, std::memory_order_release);
    {
      const std::lock_guard wait(returning_);
    }  // No thread is now between testing its condition and going to sleep.
    returned_.notify_all();
    lock.lock();
    ++awake_;
    return crowded;
  }

  /// Waits for the next call: first spinning, unless crowded, then asleep.
  void rest(Lock& lock, bool crowded) {
    unsigned seen = calls_.load(std::memory_order_relaxed);
    if (!crowded) {
      lock.unlock();
      const bool soon = spin_until([&] { return calls_.load(std::memory_order_acquire) != seen; });
      lock.lock();
      if (soon || next_job()) return;
    }
    --awake_;
    ++asleep_;
    seen = calls_.load(std::memory_order_relaxed);
    lock.unlock();
    calls_.wait(seen);
    lock.lock();
    --asleep_;
    ++awake_;
  }

  SpinLock lock_;
  std::vector<Job*> jobs_;           ///< jobs at work
  unsigned awake_ = 0, asleep_ = 0;  ///< threads without a job
  std::atomic<unsigned> calls_{0};   ///< number of calls so far; idle threads wait until it changes
  std::mutex returning_;
  std::condition_variable returned_;  ///< signals that a helper has finished
};

/// Never destroyed, because its threads may outlive all other objects of the process.
ThreadPool& worker_pool = *new ThreadPool;

#if defined(__unix__) || defined(__APPLE__)
/// Starts a new pool in a forked process, which has none of the threads.
const int threads_fork_well =
    pthread_atfork(nullptr, nullptr, [] { new (&worker_pool) ThreadPool; });
#endif

}  // namespace

void run_together(unsigned threads, void (*work)(const void* what, unsigned worker),
                  const void* what) {
  if (threads <= 1) return work(what, 0);
  Job job{work, what, threads - 1};
  worker_pool.run(job);
}

}  // namespace toccata
