// The binary heap below the priority queue of the best-first traversal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// Binary heap of indices, least time first. Keeps its buffer when cleared.
class TimeHeap {
 public:
  struct Entry {
    double time;
    Index index;
  };

  void clear() { entries_.clear(); }
  bool empty() const { return entries_.empty(); }
  /// Returns all entries, the top entry first.
  std::span<const Entry> entries() const { return entries_; }
  const Entry& top() const { return entries_.front(); }

  void push(double time, Index index) {
    std::size_t hole = entries_.size();
    entries_.push_back({time, index});
    for (; hole > 0 && time < entries_[(hole - 1) / 2].time; hole = (hole - 1) / 2)
      entries_[hole] = entries_[(hole - 1) / 2];
    entries_[hole] = {time, index};
  }

  /// Replaces the top entry by one that is not earlier.
  void replace_top(double time, Index index) { sink({time, index}); }

  void pop() {
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
  }

 private:
  void sink(const Entry& entry) {
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && entries_[child + 1].time < entries_[child].time) ++child;
      if (!(entries_[child].time < entry.time)) break;
      entries_[hole] = entries_[child];
      hole = child;
    }
    entries_[hole] = entry;
  }

  std::vector<Entry> entries_;
};

}  // namespace toccata
