// The priority queue of the best-first traversal (earliest_first.hpp).
//
// An entry is either a candidate pair that has not been opened, or a branch: siblings of an opened
// pair of bodies. Siblings share one entry, because most of them are never popped.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "toccata/walk/heap.hpp"
#include "toccata/walk/siblings.hpp"

namespace toccata {

/// Siblings of one pair of bodies in the queue.
struct Branch {
  TimedSiblings siblings;
  Index pair;
  bool by_triangles;  ///< the times were raised by bounds of triangles, not only of their boxes

  Branch(const Siblings& nodes, double time, unsigned used, Index pair)
      : siblings{nodes, {time, used}, 0}, pair(pair), by_triangles(false) {}
  bool is_done() const { return !siblings.time.pending(); }
};

/// A queue of candidate pairs and branches, ordered by time. Reuses its buffers.
class Branches {
 public:
  void clear() {
    queue_.clear();
    branches_.clear();
  }
  void add(Index candidate, double earliest) { queue_.push(earliest, ~candidate); }
  /// Queues a branch that `make` has returned.
  void add(Index branch) {
    if (branches_[branch].is_done()) branches_.pop_back();
    else queue_.push(branches_[branch].siblings.time.least(), branch);
  }

  bool empty() const { return queue_.empty(); }
  double time() const { return queue_.top().time; }
  /// Returns the earliest entry: ~i for candidate i, or i for branch i.
  Index top() const { return queue_.top().index; }
  /// Returns the number of branches, including branches that have left the queue.
  Index size() const { return static_cast<Index>(branches_.size()); }
  /// Returns all entries in no particular order.
  std::span<const TimeHeap::Entry> waiting() const { return queue_.entries(); }
  Branch& operator[](Index i) { return branches_[i]; }
  const Branch& operator[](Index i) const { return branches_[i]; }

  void pop() { queue_.pop(); }
  /// Restores the order after the times of the top branch were raised.
  void requeue_top() {
    const Branch& branch = branches_[top()];
    if (branch.is_done()) queue_.pop();
    else queue_.replace_top(branch.siblings.time.least(), top());
  }
  /// Appends a branch without queueing it. Constructs it in place, because a copy would stall on
  /// values that were just written.
  template <class... Of>
  Index make(const Of&... of) {
    branches_.emplace_back(of...);
    return size() - 1;
  }
  /// Makes a branch of children of the top. Reuses the top branch if it is done.
  template <class... Of>
  Index make_below_top(const Of&... of) {
    const Index index = top();
    if (index < 0 || !branches_[index].is_done()) return make(of...);
    std::construct_at(&branches_[index], of...);
    return index;
  }
  /// Replaces the top candidate, or a closed node pair of the top branch, by `children`, the branch
  /// that was made last. The children often stay on top, which saves a push and a pop.
  void replace_top(Index children) {
    const Index index = top();
    if (branches_[children].is_done()) {
      if (children == index) return queue_.pop();
      branches_.pop_back();
      return index < 0 ? queue_.pop() : requeue_top();
    }
    queue_.replace_top(branches_[children].siblings.time.least(), children);
    if (index >= 0 && index != children) queue_.push(branches_[index].siblings.time.least(), index);
  }

 private:
  TimeHeap queue_;
  std::vector<Branch> branches_;
};

}  // namespace toccata
