// method="auto": hierarchical advancement in the order of the earliest possible contact.
//
// Every pair of nodes carries a time before which nothing below it touches. The pair with the least
// time comes up next: it is advanced again if that promises much, else replaced by its children. The
// first pair of triangles to come up while touching is the answer, since all other pairs are still
// free at that time. No pair is refined that could not have been earlier, which is why this order
// needs the fewest refinements of all.
#include "toccata/query/rigid/advance.hpp"
#include "toccata/query/rigid/heap.hpp"
#include "toccata/query/rigid/leaf.hpp"
#include "toccata/query/rigid/methods.hpp"

namespace toccata {
namespace {

/// Open pairs. Siblings wait together: one entry in the queue for up to eight pairs, most of which
/// never come up.
class Waiting {
 public:
  void clear() {
    queue_.clear();
    groups_.clear();
  }
  bool empty() const { return queue_.empty(); }
  double time() const { return queue_.top().time; }
  Siblings& top() { return groups_[queue_.top().index]; }

  void push(const Siblings& group) {
    if (!group.open) return;
    queue_.push(group.time[group.earliest()], static_cast<Index>(groups_.size()));
    groups_.push_back(group);
  }
  /// Puts the top group back by what is now its earliest pair.
  void requeue_top() {
    const Siblings& group = top();
    if (group.open) queue_.delay_top(group.time[group.earliest()]);
    else queue_.pop();
  }

 private:
  TimeHeap queue_;
  std::vector<Siblings> groups_;
};

class Search {
 public:
  Search(const MovingPair& pair, Waiting& waiting)
      : pair_(pair), waiting_(waiting), cutoff_(pair.options().cutoff) {}

  Contact run(double start) {
    waiting_.clear();
    if (start < cutoff_) split(root_pair(), start);
    Count budget = pair_.options().budget;
    while (!waiting_.empty() && contact_.status == Status::free) {
      if (--budget < 0) give_up();
      else visit(waiting_.top(), waiting_.time());
    }
    return contact_;
  }

 private:
  /// Volumes that overlap do not advance, so the same time often comes up again.
  const PairState& state_at(double now) {
    if (state_.time != now) state_ = pair_.state(now, std::min(cutoff_, 1.0));
    return state_;
  }

  /// Nothing touches before the earliest time in the queue; more is not known.
  void give_up() { contact_.give_up(waiting_.time()); }

  void visit(Siblings& group, double now) {
    const int lane = group.earliest();
    const NodePair nodes = group.family.child(lane);
    if (group.unsettled >> lane & 1) {
      const Expansion<VolumeKind::box> expansion(pair_, group.family);
      advance(pair_, expansion, state_at(now), cutoff_, group, contact_.stats);
      waiting_.requeue_top();
    } else if (are_leaves(pair_, nodes)) {
      visit_leaves(group, lane, nodes, now);
    } else {
      group.open &= ~(1u << lane);
      waiting_.requeue_top();
      split(nodes, now);
    }
  }

  void split(const NodePair& nodes, double now) {
    const Expansion<VolumeKind::box> expansion(pair_, nodes);
    waiting_.push(first_step(pair_, expansion, state_at(now), cutoff_, contact_.stats));
  }

  void visit_leaves(Siblings& group, int lane, const NodePair& nodes, double now) {
    ++contact_.stats.elementary_tests;
    const Index a = element(pair_.mesh_a().bvh().child(nodes.a));
    const Index b = element(pair_.mesh_b().bvh().child(nodes.b));
    const LeafApproach leaf = approach_leaves(pair_, state_at(now), a, b);
    if (leaf.touches) {
      record(contact_, now, a, b, leaf.triangles);
      return;
    }
    if (!(leaf.step > 0)) {
      give_up();
      return;
    }
    group.time[lane] = now + leaf.step;
    if (group.time[lane] >= cutoff_) {
      group.open &= ~(1u << lane);
      ++contact_.stats.front_nodes;
    }
    waiting_.requeue_top();
  }

  const MovingPair& pair_;
  Waiting& waiting_;
  double cutoff_;
  PairState state_{.time = -1, .a = {}, .b = {}};
  Contact contact_;
};

}  // namespace

Contact best_first(const MovingPair& pair, double start) {
  thread_local Waiting waiting;  // keeps its memory from query to query
  return Search(pair, waiting).run(start);
}

}  // namespace toccata
