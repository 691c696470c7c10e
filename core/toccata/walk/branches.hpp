// The queue of an earliest-first walk: candidates that nothing is known of but a time, and
// siblings, which wait together, since most of them never come up.
#pragma once

#include <span>
#include <vector>

#include "toccata/walk/heap.hpp"
#include "toccata/walk/siblings.hpp"

namespace toccata {

/// Node pairs of one family, of one pair of bodies.
struct Branch {
  Siblings siblings;
  Index pair;
  bool by_triangles;  ///< its triangles have been looked at, not only their boxes

  Branch(const Family& family, double time, unsigned used, Index pair)
      : siblings{family, {time, used}, 0}, pair(pair), by_triangles(false) {}
  bool is_done() const { return !siblings.time.open(); }
};

/// Keeps its memory when cleared.
class Branches {
 public:
  void clear() {
    queue_.clear();
    branches_.clear();
  }
  void add(Index candidate, double earliest) { queue_.push(earliest, ~candidate); }
  void add(const Branch& branch) {
    if (branch.is_done()) return;
    queue_.push(branch.siblings.time.least(), size());
    branches_.push_back(branch);
  }

  bool empty() const { return queue_.empty(); }
  double time() const { return queue_.top().time; }
  /// The earliest: a candidate as ~i, a branch as i.
  Index top() const { return queue_.top().index; }
  /// The branches so far.
  Index size() const { return static_cast<Index>(branches_.size()); }
  /// All that waits, in no order.
  std::span<const TimeHeap::Entry> waiting() const { return queue_.entries(); }
  Branch& operator[](Index i) { return branches_[i]; }
  const Branch& operator[](Index i) const { return branches_[i]; }

  void pop() { queue_.pop(); }
  /// The times of the top branch have changed, to later ones.
  void requeue_top() {
    const Branch& branch = branches_[top()];
    if (branch.is_done()) queue_.pop();
    else queue_.replace_top(branch.siblings.time.least(), top());
  }
  /// The top candidate, or one node pair of the top branch, which is done with, is replaced by its
  /// children. They often stay on top: what is left of the branch is pushed, or its place is taken.
  void replace_top(const Branch& children) {
    const Index index = top();
    if (children.is_done()) return index < 0 ? queue_.pop() : requeue_top();
    const double time = children.siblings.time.least();
    if (index >= 0 && branches_[index].is_done()) {
      branches_[index] = children;
      return queue_.replace_top(time, index);
    }
    queue_.replace_top(time, size());
    if (index >= 0) queue_.push(branches_[index].siblings.time.least(), index);
    branches_.push_back(children);
  }

 private:
  TimeHeap queue_;
  std::vector<Branch> branches_;
};

}  // namespace toccata
