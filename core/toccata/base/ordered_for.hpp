// A loop whose items take effect one after the other, but are prepared ahead in parallel.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "toccata/base/spin.hpp"
#include "toccata/base/thread_pool.hpp"

namespace toccata {

/// What one item of the loop does, in four parts:
///   std::optional<Item> next()           the next item, one call at a time; none at the end;
///   Plan prepare(Item, unsigned worker)  what it would do now; several threads at once;
///   bool holds(const Plan&)              whether it would still do that;
///   void commit(Plan&&)                  does it.
/// Plans are committed in the order of items, those that do not hold any more after they have been
/// prepared again, so that the outcome is that of a plain loop. Preparing sees what was committed
/// before, or some of it, and must bear with that: what is read and committed at once is atomic.
template <class Loop>
class OrderedFor {
 public:
  using Item = decltype(std::declval<Loop&>().next())::value_type;
  using Plan = decltype(std::declval<Loop&>().prepare(std::declval<Item>(), 0u));

  OrderedFor(Loop& loop, unsigned threads) : loop_(loop), window_(ahead * threads) {}

  void run(unsigned threads) {
    run_together(threads, [this](unsigned worker) { work(worker); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t ahead = 4;  ///< plans of each thread that wait to be committed
  struct Ready {
    Item item;
    Plan plan;
  };

  void work(unsigned worker) {
    std::unique_lock lock(mutex_);
    try {
      while (commit_first(lock, worker) || prepare_next(lock, worker) || wait(lock)) {
      }
    } catch (...) {
      if (!lock) lock.lock();
      if (!failure_) failure_ = std::current_exception();
    }
    announce();
  }

  void announce() {
    changes_.fetch_add(1, std::memory_order_relaxed);
    changed_.notify_all();
  }

  bool commit_first(std::unique_lock<std::mutex>& lock, unsigned worker) {
    if (failure_ || committing_ || ready_.empty() || ready_.begin()->first != committed_)
      return false;
    committing_ = true;
    Ready first = std::move(ready_.begin()->second);
    ready_.erase(ready_.begin());
    lock.unlock();
    if (!loop_.holds(first.plan)) first.plan = loop_.prepare(first.item, worker);
    loop_.commit(std::move(first.plan));
    lock.lock();
    committing_ = false;
    ++committed_;
    announce();
    return true;
  }

  bool prepare_next(std::unique_lock<std::mutex>& lock, unsigned worker) {
    if (failure_ || at_end_ || started_ - committed_ >= window_) return false;
    std::optional<Item> item = loop_.next();
    if (!item) {
      at_end_ = true;
      return true;
    }
    const std::size_t place = started_++;
    lock.unlock();
    Plan plan = loop_.prepare(*item, worker);
    lock.lock();
    ready_.emplace(place, Ready{*item, std::move(plan)});
    return true;
  }

  /// False at the end of the loop.
  bool wait(std::unique_lock<std::mutex>& lock) {
    if (failure_ || (at_end_ && committed_ == started_)) return false;
    const std::size_t seen = changes_.load(std::memory_order_relaxed);
    const auto changed = [&] { return changes_.load(std::memory_order_relaxed) != seen; };
    lock.unlock();
    const bool soon = spin_until(changed);
    lock.lock();
    if (!soon) changed_.wait(lock, changed);
    return true;
  }

  Loop& loop_;
  const std::size_t window_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::size_t> changes_{0};  ///< so far; what threads watch before they go to sleep
  std::map<std::size_t, Ready> ready_;  ///< prepared, by their place in the order
  std::size_t started_ = 0, committed_ = 0;
  bool committing_ = false, at_end_ = false;
  std::exception_ptr failure_;
};

template <class Loop>
void ordered_for(Loop& loop, unsigned threads) {
  OrderedFor<Loop>(loop, threads).run(threads);
}

}  // namespace toccata
