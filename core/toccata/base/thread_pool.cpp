#include "toccata/base/thread_pool.hpp"

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

/// The core that runs this thread; -1 if the system does not tell.
int this_core() {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

/// One thread, and those that help it with one piece of work.
struct Team {
  void (*work)(const void* what, unsigned worker);
  const void* what;
  unsigned wanted;                ///< helpers that may still come
  int core = this_core();         ///< of the thread that called
  unsigned last = 0;              ///< the worker that came last
  std::atomic<unsigned> busy{0};  ///< helpers at work
  /// Whether a helper runs on the core of the thread that called: where others have taken the rest.
  /// Then each of them takes the time of the other while it waits awake.
  std::atomic<bool> crowded{false};
};

class ThreadPool {
 public:
  void run(Team& team) {
    call(team);
    team.work(team.what, 0);
    dismiss(team);
  }

 private:
  using Lock = std::unique_lock<SpinLock>;

  void call(Team& team) {
    unsigned wanted = 0, sleepers = 0;
    {
      const std::lock_guard lock(lock_);
      teams_.push_back(&team);
      for (const Team* one : teams_) wanted += one->wanted;
      while (awake_ + asleep_ < wanted && add_thread()) {
      }
      if (wanted > awake_) sleepers = std::min(wanted - awake_, asleep_);
    }
    calls_.fetch_add(1, std::memory_order_release);
    for (; sleepers > 0; --sleepers) calls_.notify_one();
  }

  /// Whether there is one more; where the system has none left, others do the work.
  bool add_thread() {
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    ++awake_;
    return true;
  }

  void dismiss(Team& team) {
    {
      const std::lock_guard lock(lock_);
      std::erase(teams_, &team);
    }
    const auto all_back = [&team] { return team.busy.load(std::memory_order_acquire) == 0; };
    while (team.crowded.load(std::memory_order_relaxed) || !spin_until(all_back)) {
      std::unique_lock lock(returning_);
      if (returned_.wait_for(lock, std::chrono::milliseconds(100), all_back)) return;
      // Those who help see what this thread is told, and come back sooner.
      if (Interruptible* const work = Interruptible::current()) work->is_wanted();
    }
  }

  /// The life of a thread.
  void help() {
    Lock lock(lock_);
    for (bool crowded = false;;) {
      if (Team* team = next_team()) crowded = join(*team, lock);
      else rest(lock, crowded);
    }
  }

  Team* next_team() const {
    const auto it = std::find_if(teams_.begin(), teams_.end(),
                                 [](const Team* team) { return team->wanted > 0; });
    return it == teams_.end() ? nullptr : *it;
  }

  /// Returns whether the team is crowded.
  bool join(Team& team, Lock& lock) {
    --team.wanted;
    const unsigned worker = ++team.last;
    team.busy.fetch_add(1, std::memory_order_relaxed);
    --awake_;
    lock.unlock();
    const bool crowded = team.core != -1 && team.core == this_core();
    if (crowded) team.crowded.store(true, std::memory_order_relaxed);
    team.work(team.what, worker);
    // The last look at the team: it may be gone as soon as nobody is busy.
    team.busy.fetch_sub(1, std::memory_order_release);
    {
      const std::lock_guard wait(returning_);
    }  // nobody is between its look and its sleep
    returned_.notify_all();
    lock.lock();
    ++awake_;
    return crowded;
  }

  /// Waits for the next call, first awake, unless crowded, and then asleep.
  void rest(Lock& lock, bool crowded) {
    unsigned seen = calls_.load(std::memory_order_relaxed);
    if (!crowded) {
      lock.unlock();
      const bool soon = spin_until([&] { return calls_.load(std::memory_order_acquire) != seen; });
      lock.lock();
      if (soon || next_team()) return;
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
  std::vector<Team*> teams_;         ///< those that are at work
  unsigned awake_ = 0, asleep_ = 0;  ///< threads without a team
  std::atomic<unsigned> calls_{0};   ///< so far; what threads without a team wait for
  std::mutex returning_;
  std::condition_variable returned_;  ///< a thread from its team
};

/// Never destroyed: its threads may outlive all else in the process.
ThreadPool& worker_pool = *new ThreadPool;

#if defined(__unix__) || defined(__APPLE__)
/// A forked process has none of the threads, so it begins with a new pool.
const int threads_fork_well =
    pthread_atfork(nullptr, nullptr, [] { new (&worker_pool) ThreadPool; });
#endif

}  // namespace

void run_together(unsigned threads, void (*work)(const void* what, unsigned worker),
                  const void* what) {
  if (threads <= 1) return work(what, 0);
  Team team{work, what, threads - 1};
  worker_pool.run(team);
}

}  // namespace toccata
