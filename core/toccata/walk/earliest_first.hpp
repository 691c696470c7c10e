// Best-first traversal: refines node pairs in the order of their earliest possible contact.
//
// Each node pair in the queue has a lower bound of its time of contact. The pair with the least
// bound is popped. It is advanced again if that is likely to raise the bound by much, and split
// into its children otherwise. The first two triangles that are popped in contact are the answer,
// because every other pair is still proven free at that time. No order needs fewer refinements:
// only pairs whose bound lies before the first contact are refined. All pairs of bodies share one
// queue, so none is refined beyond the earliest contact of any of them (the temporal culling of
// Tang et al. 2013, algorithm 4, in a single pass).
#pragma once

#include <bit>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/walk/branches.hpp"
#include "toccata/walk/effort.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_source.hpp"

namespace toccata {

/// Best-first traversal of any number of pairs of bodies. Reuses its buffers across queries.
template <class Pairs>
class EarliestFirst {
 public:
  using Bodies = typename Pairs::Bodies;

  /// Starts a query with an empty queue. Contacts before `first`, and at or after `cutoff`, are
  /// ignored.
  void start(Pairs& pairs, double cutoff, Count budget, double first = 0) {
    static_assert(PairSource<Pairs>);
    pairs_ = &pairs;
    first_ = first;
    cutoff_ = cutoff;
    last_ = std::min(cutoff, 1.0);
    budget_ = budget;
    branches_.clear();
    efforts_.clear();
    witness_ = {};
    next_witness_ = many_steps;
  }
  /// Queues a candidate pair that cannot touch before `earliest`.
  void add(Index candidate, double earliest) { branches_.add(candidate, earliest); }

  /// Queues some node pairs of an opened pair of bodies. The caller guarantees that its other node
  /// pairs do not touch before the cutoff.
  void add(Index pair, const FrontSiblings& front, double now, Stats& stats) {
    if (efforts_.size() <= static_cast<std::size_t>(pair)) efforts_.resize(pair + 1);
    const Index children = branches_.make(front.nodes, now, front.lanes, pair);
    efforts_[pair].begin(cutoff_);
    advance_first(branches_[children], {(*pairs_)[pair].pair(), front.nodes}, now, stats);
    branches_.add(children);
  }

  /// Tells that no queued pair may touch before the cutoff.
  bool is_over() const { return branches_.empty() || !(branches_.time() < cutoff_); }
  /// Returns a time before which nothing touches.
  double time() const { return branches_.time(); }

  /// Does one unit of work. The status of `contact` is free until the traversal ends.
  void step(Contact& contact) {
    const double now = time();
    ++contact.stats.work;
    if (!spend(budget_)) give_up(now, contact);
    else if (now >= witness_.time) try_witness(now, contact);
    else if (contact.stats.ca_iterations > next_witness_) find_witness(now, contact.stats);
    else visit(contact);
  }

  /// Returns the pair that ended the traversal, in contact or undecided.
  Index last_pair() const { return last_pair_; }
  /// Returns the queue.
  const Branches& branches() const { return branches_; }

 private:
  struct LeafStep {
    LeafApproach leaf;
    double free_until;  // invalid if the two touch
  };
  /// Two triangles that are likely to touch from `time` on.
  struct Witness {
    double time = LaneTimes::never;
    Index pair = -1, a = -1, b = -1;
  };

  void visit(Contact& contact) {
    const Index index = branches_.top();
    const double now = branches_.time();
    if (index < 0) return open_top(~index, now, contact.stats);
    Branch& branch = branches_[index];
    const int lane = branch.siblings.time.earliest();
    const NodePair nodes = branch.siblings.nodes.child(lane);
    const Effort& effort = efforts_[branch.pair];
    if (index < effort.first) branches_.pop();
    else if (effort.shall_start_over()) start_over(branch.pair, now, contact.stats);
    else if (branch.siblings.promising >> lane & 1) advance_again(branch, lane, now, contact.stats);
    else if (are_leaves((*pairs_)[branch.pair].pair(), nodes))
      visit_leaves(branch, lane, nodes, now, contact);
    else split(branch, lane, now, contact.stats);
  }

  void advance_again(Branch& branch, int lane, double now, Stats& stats) {
    Bodies& bodies = (*pairs_)[branch.pair];
    const double before = bodies.again_time(now);
    const Expansion<VolumeKind::box> expansion(bodies.pair(), branch.siblings.nodes);
    advance_volumes(branch, bodies, expansion, before, stats);
    if (is_too_early(before, now, branch.siblings.time[lane]))
      advance_volumes(branch, bodies, expansion, now, stats);
    branches_.requeue_top();
  }

  void split(Branch& branch, int lane, double now, Stats& stats) {
    const Index pair = branch.pair;
    const Expansion<VolumeKind::box> expansion((*pairs_)[pair].pair(),
                                               branch.siblings.nodes.child(lane));
    branch.siblings.time.close(lane);
    const Index children =
        branches_.make_below_top(expansion.siblings(), now, expansion.used(), pair);
    advance_first(branches_[children], expansion, now, stats);
    branches_.replace_top(children);
  }

  void open_top(Index candidate, double now, Stats& stats) {
    const Index pair = pairs_->open(candidate);
    if (efforts_.size() <= static_cast<std::size_t>(pair)) efforts_.resize(pair + 1);
    // During many turns, node pairs that are close once in a turn would come up in each turn. They
    // are dropped at the end of a fraction of a turn, and the pair is queued again for the rest.
    const double end = std::min((*pairs_)[pair].reopens_at(now), cutoff_);
    efforts_[pair].begin(end);
    branches_.replace_top(children_of_roots(pair, now, stats));
    if (end < cutoff_) branches_.add(candidate, end);
  }

  /// Drops all node pairs of a pair of bodies and starts again from the roots.
  void start_over(Index pair, double now, Stats& stats) {
    efforts_[pair].start_over(branches_.size());
    branches_.add(children_of_roots(pair, now, stats));
  }

  /// Makes a branch of the children of both roots.
  Index children_of_roots(Index pair, double now, Stats& stats) {
    const Expansion<VolumeKind::box> expansion((*pairs_)[pair].pair(), root_pair());
    const Index made = branches_.make(expansion.siblings(), now, expansion.used(), pair);
    return advance_first(branches_[made], expansion, now, stats), made;
  }

  void advance_first(Branch& branch, const Expansion<VolumeKind::box>& expansion, double now,
                     Stats& stats) {
    Bodies& bodies = (*pairs_)[branch.pair];
    advance_volumes(branch, bodies, expansion, bodies.volume_time(now), stats);
  }

  /// Advances all pending node pairs of a branch once, from a `time` at which all of them are free.
  void advance_volumes(Branch& branch, Bodies& bodies, const Expansion<VolumeKind::box>& expansion,
                       double time, Stats& stats) {
    TimedSiblings& siblings = branch.siblings;
    const Span window = bodies.window(time);
    const RelativeState& relative = bodies.relative(window, siblings.nodes.of_a);
    Approach bounds = expansion.bounds(relative);
    if constexpr (requires { bodies.see(bounds.gap, 0u); })
      bodies.see(bounds.gap, siblings.time.pending());
    const auto separation = static_cast<float>(bodies.pair().separation());
    unsigned promising = Bodies::promising(bounds, expansion, separation);
    const unsigned pending = siblings.time.pending();
    if (++efforts_[branch.pair].steps > Effort::some_steps) [[unlikely]]
      promising |= tighten(branch, bodies, expansion, window, relative, bounds);
    advance(branch, bodies, bounds, window, pending, stats);
    siblings.promising = siblings.time.pending() & promising;
    stats.bv_tests += std::popcount(pending);
  }

  /// Lengthens the advances of volumes that conform. Returns the lanes that are worth another
  /// advance.
  [[gnu::noinline]] unsigned tighten(const Branch& branch, Bodies& bodies,
                                     const Expansion<VolumeKind::box>& expansion, Span window,
                                     const RelativeState& relative, Approach& bounds) {
    efforts_[branch.pair].try_profile(bodies.pair());
    unsigned lanes = branch.siblings.time.pending();
    if (!efforts_[branch.pair].tightens())
      lanes &= nearly_touching(bounds, relative, bodies.pair().separation());
    if (!lanes) return 0;
    const double cutoff = efforts_[branch.pair].cutoff;
    const double length = (window.end < last_ ? window.end : cutoff) - window.time;
    bounds.step = expansion.tighten(bodies.at(window), length, lanes, bounds.step);
    return lanes & bits(bounds.step >= relative.longest_advance);
  }

  /// Advances pending pairs of triangles by their own bounds instead of the bounds of their boxes.
  void advance_triangles(Branch& branch, double time, Stats& stats) {
    Bodies& bodies = (*pairs_)[branch.pair];
    TimedSiblings& siblings = branch.siblings;
    const Expansion<VolumeKind::box> expansion(bodies.pair(), siblings.nodes);
    const unsigned triangles = siblings.time.pending() & expansion.triangles();
    branch.by_triangles = true;
    if (!triangles) return;  // cells of surfaces
    const Span window = bodies.window(time);
    const RelativeState& relative = bodies.relative(window, siblings.nodes.of_a);
    advance(branch, bodies, expansion.triangle_bounds(relative, triangles), window, triangles,
            stats);
    stats.elementary_tests += std::popcount(triangles);
  }

  /// Raises the time bounds of the node pairs in `lanes`.
  void advance(Branch& branch, const Bodies& bodies, const Approach& bounds, Span window,
               unsigned lanes, Stats& stats) {
    LaneTimes& times = branch.siblings.time;
    const unsigned pending = times.pending();
    // Bounds hold until the end of the window. The last window ends the query, and bodies that are
    // apart and at rest stay apart.
    const double farthest = window.end < last_ ? window.end : LaneTimes::never;
    const bool at_rest = bodies.is_at_rest();
    const double cutoff = efforts_[branch.pair].cutoff;
    for (int k = 0; k < 2; ++k) {
      const Quad step = widened(bounds.step, k);
      Quad reached = min(step + window.time, quad(farthest));
      if (at_rest) reached = select(step > 0, quad(LaneTimes::never), reached);
      const Quad free_until =
          max(times.half[k], select(LaneTimes::mask(lanes, k), reached, times.half[k]));
      times.half[k] = select(free_until < cutoff, free_until, quad(LaneTimes::never));
    }
    ++stats.ca_iterations;
    stats.front_nodes += std::popcount(pending & ~times.pending());
  }

  void visit_leaves(Branch& branch, int lane, const NodePair& nodes, double now, Contact& contact) {
    Bodies& bodies = (*pairs_)[branch.pair];
    const double before = bodies.leaf_time(now);
    if (Bodies::packs_triangles && !branch.by_triangles) {
      advance_triangles(branch, before, contact.stats);
      return branches_.requeue_top();
    }
    const auto [a, b] = elements_of(bodies.pair(), nodes);
    LeafStep step = advance_leaves(bodies, a, b, before, contact.stats);
    if (before < now && (step.leaf.touches || is_too_early(before, now, step.free_until)))
      step = advance_leaves(bodies, a, b, now, contact.stats);
    if (step.leaf.touches) return touch(branch.pair, a, b, now, step.leaf, contact);
    if (!(step.leaf.step > 0)) return give_up(now, contact);
    const bool done = step.free_until >= efforts_[branch.pair].cutoff;
    branch.siblings.time.set(lane, done ? LaneTimes::never : step.free_until);
    contact.stats.front_nodes += done;
    branches_.requeue_top();
  }

  LeafStep advance_leaves(Bodies& bodies, Index a, Index b, double time, Stats& stats) {
    ++stats.elementary_tests;
    const Span window = bodies.window(time);
    const MovingPair& pair = bodies.pair();
    const PairState& state = bodies.at(window);
    Stopwatch watch(pair.options().timed);
    const LeafApproach leaf = approach_leaves(pair, state, a, b, first_);
    stats.seconds_elementary += watch.lap();
    if (bodies.is_at_rest()) return {leaf, cutoff_};
    const double free_until = time + leaf.step;
    return {leaf, free_until > window.end && window.end < last_ ? window.end : free_until};
  }

  /// Ends the traversal undecided from `now` on.
  void give_up(double now, Contact& contact) {
    const Index index = branches_.top();
    last_pair_ = index < 0 ? pairs_->open(~index) : branches_[index].pair;
    contact.give_up(now);
  }

  void touch(Index pair, Index a, Index b, double now, const LeafApproach& leaf, Contact& contact) {
    last_pair_ = pair;
    record(contact, now, a, b, leaf.triangles);
  }

  /// Descends directly to one pair of triangles. If many node pairs can touch at about the same
  /// time, as in flat contact, the traversal would otherwise refine all of them before it reaches a
  /// triangle.
  void find_witness(double now, Stats& stats) {
    next_witness_ *= 2;
    if (branches_.top() < 0) return;
    Branch branch = branches_[branches_.top()];
    const MovingPair& pair = (*pairs_)[branch.pair].pair();
    NodePair nodes = branch.siblings.nodes.child(branch.siblings.time.earliest());
    while (!are_leaves(pair, nodes)) {
      const Expansion<VolumeKind::box> expansion(pair, nodes);
      branch = Branch(expansion.siblings(), now, expansion.used(), branch.pair);
      advance_first(branch, expansion, now, stats);
      if (!branch.siblings.time.pending()) return;
      nodes = branch.siblings.nodes.child(branch.siblings.time.earliest());
    }
    const auto [a, b] = elements_of(pair, nodes);
    witness_ = {now, branch.pair, a, b};
  }

  /// Tests the witness. Nothing touches before `now`, so a witness in contact is the answer.
  void try_witness(double now, Contact& contact) {
    const auto [time, pair, a, b] = witness_;
    Bodies& bodies = (*pairs_)[pair];
    const LeafStep step = advance_leaves(bodies, a, b, now, contact.stats);
    if (step.leaf.touches) return touch(pair, a, b, now, step.leaf, contact);
    const double later =
        std::min(step.free_until, now + short_of_contact(bodies.pair(), step.leaf));
    witness_.time = later > now ? later : LaneTimes::never;
  }

  /// Tells that an advance from `time` gained no more beyond `now` than the time between them.
  static bool is_too_early(double time, double now, double free_until) {
    return time < now && free_until < now + (now - time);
  }

  Pairs* pairs_ = nullptr;
  double first_ = 0, cutoff_ = 0, last_ = 1;
  Count budget_ = 0;
  Branches branches_;
  std::vector<Effort> efforts_;  // by opened pair
  Witness witness_;
  Count next_witness_ = 0;
  Index last_pair_ = -1;
};

}  // namespace toccata
