// method="auto": hierarchical advancement in the order of the earliest possible contact.
//
// Every pair of nodes carries a time before which nothing below it touches. The pair with the least
// time comes up next: it is advanced again if that promises much, else replaced by its children.
// The first pair of triangles to come up while touching is the answer, since all other pairs are
// still free at that time. No pair is refined that could not have been earlier, which is why this
// order needs the fewest refinements of all.
#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/methods.hpp"
#include "toccata/walk/advance.hpp"
#include "toccata/walk/heap.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/profile.hpp"

namespace toccata {
namespace {

/// Open pairs. Siblings wait together: one entry in the queue for up to eight pairs, most of which
/// never come up.
class Waiting {
 public:
  void start_with(const Siblings& group) {
    queue_.clear();
    groups_.assign(1, group);
    if (group.time.open()) queue_.push(group.time.least(), 0);
  }
  void clear() { queue_.clear(); }
  bool empty() const { return queue_.empty(); }
  double time() const { return queue_.top().time; }
  Siblings& top() { return groups_[queue_.top().index]; }

  /// Puts the top group back by what is now its earliest pair.
  void requeue_top() {
    const Siblings& group = top();
    if (group.time.open()) queue_.replace_top(group.time.least(), queue_.top().index);
    else queue_.pop();
  }
  /// Adds the children of a pair of the top group. They mostly come up next, and what is left of
  /// the top group late: entries of the queue move little if it is the latter that is pushed.
  void requeue_top_with(const Siblings& children) {
    if (!children.time.open()) return requeue_top();
    const Index parent = queue_.top().index;
    const double time = groups_[parent].time.least();
    const bool reuse = !groups_[parent].time.open();
    queue_.replace_top(children.time.least(), reuse ? parent : static_cast<Index>(groups_.size()));
    if (reuse) {
      groups_[parent] = children;
      return;
    }
    queue_.push(time, parent);
    groups_.push_back(children);
  }

 private:
  TimeHeap queue_;
  std::vector<Siblings> groups_;
};

/// A state this much older will do to look at children for the first time: what they gain by a
/// newer one is less than the state costs. Measured: half of the states go, and one test in 200 is
/// added.
constexpr double recent = 1e-3;

class Search {
 public:
  Search(const MovingPair& pair, double start, Waiting& waiting)
      : pair_(pair),
        waiting_(waiting),
        cutoff_(pair.options().cutoff),
        view_(pair, std::min(cutoff_, 1.0)) {
    view_.move_to(start);
  }

  Contact run() {
    waiting_.start_with(children_of(root_pair(), view_.time()));
    Count budget = pair_.options().budget;
    while (!waiting_.empty() && contact_.status == Status::free) {
      if (!spend(budget)) give_up();
      else if (waiting_.time() >= guess_.time) try_guess(waiting_.time());
      else if (contact_.stats.ca_iterations > next_guess_) guess(waiting_.time());
      else visit(waiting_.top(), waiting_.time());
    }
    return contact_;
  }

 private:
  /// Goes down to one pair of triangles: where many pairs can touch at about the same time (flat on
  /// flat), the best first search refines all of them before it meets a triangle.
  void guess(double now) {
    if (next_guess_ == profile_steps && clear_by_profile(pair_)) return waiting_.clear();
    next_guess_ *= 2;
    Siblings group = waiting_.top();
    NodePair nodes = group.family.child(group.time.earliest());
    while (!are_leaves(pair_, nodes)) {
      group = children_of(nodes, now);
      if (!group.time.open()) return;
      nodes = group.family.child(group.time.earliest());
    }
    guess_ = {now, element(pair_.mesh_a().bvh().child(nodes.a)),
              element(pair_.mesh_b().bvh().child(nodes.b))};
  }

  /// Nothing touches before `now`: if this pair is within reach of a contact, it is the answer.
  void try_guess(double now) {
    const LeafApproach leaf = approach(guess_.a, guess_.b, now);
    if (leaf.touches) record(contact_, now, guess_.a, guess_.b, leaf.triangles);
    else guess_.time = now + short_of_contact(pair_, leaf);
    if (!(guess_.time > now)) guess_.time = LaneTimes::never;
  }

  /// Nothing touches before the earliest time in the queue; more is not known.
  void give_up() { contact_.give_up(waiting_.time()); }

  void visit(Siblings& group, double now) {
    const int lane = group.time.earliest();
    const NodePair nodes = group.family.child(lane);
    if (group.unsettled >> lane & 1) {
      view_.move_to(now);
      const Expansion<VolumeKind::box> expansion(pair_, group.family);
      advance(view_, expansion, cutoff_, group, contact_.stats);
      waiting_.requeue_top();
    } else if (are_leaves(pair_, nodes)) {
      visit_leaves(group, lane, nodes, now);
    } else {
      group.time.set(lane, LaneTimes::never);
      waiting_.requeue_top_with(children_of(nodes, now));
    }
  }

  Siblings children_of(const NodePair& nodes, double now) {
    if (!(view_.time() <= now && now <= view_.time() + recent)) view_.move_to(now);
    const Expansion<VolumeKind::box> expansion(pair_, nodes);
    return first_step(view_, expansion, now, cutoff_, contact_.stats);
  }

  void visit_leaves(Siblings& group, int lane, const NodePair& nodes, double now) {
    const Index a = element(pair_.mesh_a().bvh().child(nodes.a));
    const Index b = element(pair_.mesh_b().bvh().child(nodes.b));
    const LeafApproach leaf = approach(a, b, now);
    if (leaf.touches) {
      record(contact_, now, a, b, leaf.triangles);
      return;
    }
    if (!(leaf.step > 0)) {
      give_up();
      return;
    }
    const bool done = now + leaf.step >= cutoff_;
    group.time.set(lane, done ? LaneTimes::never : now + leaf.step);
    contact_.stats.front_nodes += done;
    waiting_.requeue_top();
  }

  LeafApproach approach(Index a, Index b, double now) {
    ++contact_.stats.elementary_tests;
    view_.move_to(now);
    Stopwatch watch(pair_.options().timed);
    const LeafApproach leaf = approach_leaves(pair_, view_.state(), a, b);
    contact_.stats.seconds_elementary += watch.lap();
    return leaf;
  }

  /// A pair of triangles that is likely to touch from `time` on.
  struct Guess {
    double time = LaneTimes::never;
    Index a = -1, b = -1;
  };

  const MovingPair& pair_;
  Waiting& waiting_;
  Guess guess_;
  Count next_guess_ = many_steps;  // doubles, and so meets profile_steps
  double cutoff_;
  PairView view_;
  Contact contact_;
};

}  // namespace

Contact best_first(const MovingPair& pair, double start) {
  thread_local Waiting waiting;  // keeps its memory from query to query
  if (!(start < pair.options().cutoff)) return {};
  return Search(pair, start, waiting).run();
}

}  // namespace toccata
