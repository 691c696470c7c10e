// The queue of an earliest-first walk: candidates that nothing is known of but a time, and
// siblings, which wait together, since most of them never come up.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "toccata/walk/heap.hpp"
#include "toccata/walk/siblings.hpp"

namespace toccata {

/// Node pairs of one siblings, of one pair of bodies.
struct Branch {
  TimedSiblings siblings;
  Index pair;
  bool by_triangles;  ///< its triangles have been looked at, not only their boxes

  Branch(const Siblings& nodes, double time, unsigned used, Index pair)
      : siblings{nodes, {time, used}, 0}, pair(pair), by_triangles(false) {}
  bool is_done() const { return !siblings.time.pending(); }
};

/// Keeps its memory when cleared.
class Branches {
 public:
  void clear() {
    queue_.clear();
    branches_.clear();
  }
  void add(Index candidate, double earliest) { queue_.push(earliest, ~candidate); }
  /// A branch that has been made, but does not wait yet.
  void add(Index branch) {
    if (branches_[branch].is_done()) branches_.pop_back();
    else queue_.push(branches_[branch].siblings.time.least(), branch);
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
  /// Makes a branch in place, at the end: copies wait for what was just written.
  template <class... Of>
  Index make(const Of&... of) {
    branches_.emplace_back(of...);
    return size() - 1;
  }
  /// The same for children of the top, in its place if it is done with.
  template <class... Of>
  Index make_below_top(const Of&... of) {
    const Index index = top();
    if (index < 0 || !branches_[index].is_done()) return make(of...);
    std::construct_at(&branches_[index], of...);
    return index;
  }
  /// The top candidate, or one node pair of the top branch, which is done with, is replaced by its
  /// children, which were made last. They often stay on top.
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
