// A loop whose items take effect one after the other, but are prepared ahead in parallel.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "toccata/base/spin.hpp"
#include "toccata/base/thread_pool.hpp"

namespace toccata {

/// What one item of the loop does, in four parts, with a type Plan:
///   std::optional<Item> next()           the next item, one call at a time; none at the end;
///   std::optional<Plan> prepare(const Item&, unsigned worker)
///                                        what it would do now, or none if an item before it, which
///                                        is not committed yet, will change that; several at once;
///   bool holds(const Plan&)              whether it would still do that;
///   void commit(Plan&&)                  does it.
/// Plans are committed in the order of items, those that do not hold any more after they have been
/// prepared again, so that the outcome is that of a plain loop. Preparing sees what was committed
/// before, or some of it, and must bear with that: what is read and committed at once is atomic.
template <class Loop>
class OrderedFor {
 public:
  OrderedFor(Loop& loop, unsigned threads) : loop_(loop), window_(ahead * threads) {}

  void run(unsigned threads) {
    run_together(threads, [this](unsigned worker) { work(worker); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Item = decltype(std::declval<Loop&>().next())::value_type;
  using Plan = typename Loop::Plan;
  static constexpr std::size_t ahead = 8;  ///< items of each thread that are not committed

  /// An item that is not committed.
  struct Entry {
    Item item;
    std::optional<Plan> plan;
    bool busy;             ///< somebody prepares it, or commits it
    std::size_t tried_at;  ///< how many had been committed when it was prepared last
  };

  using Lock = std::unique_lock<SpinLock>;

  void work(unsigned worker) {
    Lock lock(mutex_);
    try {
      while (commit_first(lock) || prepare_one(lock, worker) || wait(lock)) {
      }
    } catch (...) {
      if (!lock) lock.lock();
      if (!failure_) failure_ = std::current_exception();
    }
    announce();
  }

  bool commit_first(Lock& lock) {
    if (failure_ || entries_.empty() || entries_[0].busy || !entries_[0].plan) return false;
    Entry& first = entries_[0];
    first.busy = true;
    lock.unlock();
    const bool holds = loop_.holds(*first.plan);
    if (holds) loop_.commit(std::move(*first.plan));
    lock.lock();
    if (holds) {
      entries_.pop_front();
      ++committed_;
      announce();
    } else {
      first.plan.reset();
      first.busy = false;
    }
    return true;
  }

  bool prepare_one(Lock& lock, unsigned worker) {
    Entry* entry = failure_ ? nullptr : next_entry();
    if (!entry) return false;
    entry->busy = true;
    entry->tried_at = committed_;
    lock.unlock();
    std::optional<Plan> plan = loop_.prepare(entry->item, worker);
    lock.lock();
    entry->plan = std::move(plan);
    entry->busy = false;
    return true;
  }

  /// The first one without a plan that nobody has tried in vain since the last commit.
  Entry* next_entry() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      if (!entry.busy && !entry.plan && (i == 0 || entry.tried_at != committed_)) return &entry;
    }
    if (at_end_ || entries_.size() >= window_) return nullptr;
    std::optional<Item> item = loop_.next();
    if (item) return &entries_.emplace_back(Entry{std::move(*item), {}, false, 0});
    at_end_ = true;
    return nullptr;
  }

  /// False at the end of the loop.
  bool wait(Lock& lock) {
    if (failure_ || (at_end_ && entries_.empty())) return false;
    const unsigned seen = changes_.load(std::memory_order_relaxed);
    lock.unlock();
    const auto changed = [&] { return changes_.load(std::memory_order_relaxed) != seen; };
    if (!spin_until(changed)) changes_.wait(seen);
    lock.lock();
    return true;
  }

  void announce() {
    changes_.fetch_add(1, std::memory_order_relaxed);
    changes_.notify_all();
  }

  Loop& loop_;
  const std::size_t window_;
  SpinLock mutex_;
  std::deque<Entry> entries_;  ///< in their order; places stay while others come and go at the ends
  std::size_t committed_ = 0;
  bool at_end_ = false;
  std::exception_ptr failure_;
  std::atomic<unsigned> changes_{0};  ///< commits, and threads that came to the end
};

template <class Loop>
void ordered_for(Loop& loop, unsigned threads) {
  OrderedFor<Loop>(loop, threads).run(threads);
}

}  // namespace toccata
