// Depth-first traversal of one pair of bodies at a time, earliest child first: hierarchical
// conservative advancement (Tang et al. 2013, algorithm 3).
//
// Two corrections of the printed algorithm are required by its proof: the smaller of two times of
// contact is kept, and the current time of contact is returned. In addition, the advance of a child
// starts from the time bound of its parent.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <concepts>
#include <span>
#include <vector>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/walk/effort.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_view.hpp"
#include "toccata/walk/siblings.hpp"

namespace toccata {

/// A node pair on the stack, free of contact until `time`.
struct DepthTask {
  double time;
  NodePair nodes;
  int depth;  ///< number of splits below the roots
};

/// Limits of one run of a traversal. The rest is left for a later run.
struct Extent {
  static constexpr int all = INT_MAX;

  int depth = all;   ///< largest number of splits below the roots
  int leaves = all;  ///< largest number of leaf pairs
};

/// The earliest contact so far, and the pair of bodies in contact, if any.
template <class Pair>
struct EarliestContact {
  double cutoff;  ///< contacts from this time on are ignored
  Contact contact{};
  const Pair* pair = nullptr;
};

/// The current pair of bodies, and the rule by which its volumes advance.
template <class S>
concept DepthSource = requires(S& source, const Expansion<VolumeKind::swept>& expansion,
                               double time, TimedSiblings& siblings, Stats& stats, Span window) {
  /// Type by which the owner of the traversal identifies pairs of bodies.
  typename S::Pair;
  { source.key() } -> std::same_as<const typename S::Pair*>;
  { source.pair() } -> std::same_as<const MovingPair&>;
  { source.is_at_rest() } -> std::same_as<bool>;
  /// Window in which bounds of a state at the first time hold; the second time is the cutoff.
  { source.window(time, time) } -> std::same_as<Span>;
  { source.at(window) } -> std::same_as<const PairState&>;
  /// Advances siblings once, from the first time or slightly before it. The second time is the
  /// cutoff.
  source.advance(expansion, time, time, siblings, stats);
  /// Largest number of advances per node pair. The paper advances node pairs until their volumes
  /// touch; further advances change little.
  { S::most_steps } -> std::convertible_to<int>;
  /// Tells to stop elements slightly short of a contact (`short_of_contact`).
  { S::stops_short } -> std::convertible_to<bool>;
};

/// Depth-first traversal. Reuses its buffers across queries.
template <class Source>
class DepthFirst {
 public:
  using Earliest = EarliestContact<typename Source::Pair>;

  /// Starts a query without a contact. With `any`, any contact ends the query, even if it is not
  /// the first contact of its elements.
  void start(double cutoff, Count budget, bool any) {
    static_assert(DepthSource<Source>);
    earliest_ = {cutoff};
    budget_ = budget;
    any_ = any;
    exhausted_ = tried_profile_ = is_clear_ = false;
    stats_ = {};
  }

  /// Switches to another pair of bodies with these pending node pairs.
  void switch_to(Source& source, std::span<const DepthTask> tasks) {
    source_ = &source;
    stack_.assign(tasks.begin(), tasks.end());
    // The earliest task is visited first. Sorting all tasks costs more than a better order saves.
    const auto earliest =
        std::min_element(stack_.begin(), stack_.end(),
                         [](const DepthTask& s, const DepthTask& t) { return s.time < t.time; });
    if (earliest != stack_.end()) std::iter_swap(earliest, stack_.end() - 1);
  }

  /// Visits tasks until the stack is empty, the query ends or the extent is reached.
  void run(Extent extent) {
    rest_.clear();
    while (!stack_.empty() && extent.leaves > 0 && !is_over()) {
      DepthTask task = stack_.back();
      stack_.pop_back();
      if (task.time >= earliest_.cutoff) continue;
      if (task.depth >= extent.depth) {
        rest_.push_back(task);
      } else if (!are_leaves(source_->pair(), task.nodes)) {
        expand(task);
      } else {
        const auto [a, b] = elements_of(source_->pair(), task.nodes);
        advance(a, b, task.time);
        --extent.leaves;
      }
      if (is_over()) rest_.push_back(task);
    }
    std::reverse(rest_.begin(), rest_.end());  // the next run pops tasks in the same order
    rest_.insert(rest_.end(), stack_.begin(), stack_.end());
    std::erase_if(rest_, [&](const DepthTask& task) { return task.time >= earliest_.cutoff; });
  }

  /// Advances two elements, which are free until `time`, until they touch or reach the cutoff.
  void advance(Index a, Index b, double& time) {
    while (time < earliest_.cutoff && spend()) {
      const Span window = source_->window(time, earliest_.cutoff);
      const LeafApproach leaf = approach(a, b, window);
      if (leaf.touches) return touch(time, a, b, leaf);
      if (any_ && probe(a, b, time + 2 * leaf.step)) return;
      // Rounding permits no advance. The query is undecided from here on, unless another pair
      // touches before.
      if (!(leaf.step > 0)) return give_up(time);
      time = later(leaf, window);
    }
    stats_.front_nodes += !exhausted_;
  }

  /// Returns the tasks that the last run has left. They may touch before the cutoff.
  std::span<const DepthTask> rest() const { return rest_; }

  /// Returns the earliest contact of all runs since the start, unless the caller has changed it.
  const Earliest& earliest() const { return earliest_; }
  void set_earliest(const Earliest& earliest) { earliest_ = earliest; }

  /// Tells that the budget has run out, or that any contact suffices and one was found.
  bool is_over() const { return exhausted_ || (any_ && earliest_.pair); }
  bool exhausted() const { return exhausted_; }
  /// Tells that the current pair never touches, by its profile (`clear_by_profile`).
  bool is_clear() const { return is_clear_; }
  const Stats& stats() const { return stats_; }

 private:
  /// Advances the children of a node pair until their volumes nearly touch (function ToC of the
  /// paper).
  void expand(const DepthTask& task) {
    if (!spend() || try_profile()) return;
    const Expansion<VolumeKind::swept> expansion(source_->pair(), task.nodes);
    TimedSiblings children{expansion.siblings(), {task.time, expansion.used()}, expansion.used()};
    for (int i = 0; i < Source::most_steps && children.promising; ++i) {
      double now = earliest_.cutoff;
      for_lanes(children.promising, [&](int lane) { now = std::min(now, children.time[lane]); });
      source_->advance(expansion, now, earliest_.cutoff, children, stats_);
    }
    const auto first = static_cast<std::ptrdiff_t>(stack_.size());
    for_lanes(children.time.pending(), [&](int lane) {
      stack_.push_back({children.time[lane], expansion.child(lane), task.depth + 1});
    });
    // The earliest child goes on top.
    std::stable_sort(stack_.begin() + first, stack_.end(),
                     [](const DepthTask& s, const DepthTask& t) { return s.time > t.time; });
  }

  /// Tests once, after many advances, whether the bodies stay apart by their profiles. Ends the
  /// traversal of the pair if so.
  bool try_profile() {
    if (tried_profile_ || stats_.ca_iterations <= profile_steps || earliest_.pair) return false;
    tried_profile_ = true;
    is_clear_ = clear_by_profile(source_->pair());
    if (is_clear_) stack_.clear();
    return is_clear_;
  }

  LeafApproach approach(Index a, Index b, Span window) {
    ++stats_.elementary_tests;
    const PairState& state = source_->at(window);
    Stopwatch watch(source_->pair().options().timed);
    const LeafApproach leaf = approach_leaves(source_->pair(), state, a, b);
    stats_.seconds_elementary += watch.lap();
    return leaf;
  }

  /// Returns the time at which elements that do not touch are tested next.
  double later(const LeafApproach& leaf, Span window) const {
    if (source_->is_at_rest()) return earliest_.cutoff;
    const double step = Source::stops_short ? short_of_contact(source_->pair(), leaf) : leaf.step;
    const bool ends = window.end < std::min(earliest_.cutoff, 1.0);
    return ends ? std::min(window.time + step, window.end) : window.time + step;
  }

  /// Tests two elements at a later time, at which they are likely to touch. Proves a contact, but
  /// no freedom. For queries that accept any contact.
  bool probe(Index a, Index b, double time) {
    if (source_->is_at_rest() || !(time < std::min(earliest_.cutoff, 1.0))) return false;
    const LeafApproach leaf = approach(a, b, {time, time});
    if (leaf.touches) touch(time, a, b, leaf);
    return leaf.touches;
  }

  void touch(double time, Index a, Index b, const LeafApproach& leaf) {
    earliest_ = {time, {}, source_->key()};
    record(earliest_.contact, time, a, b, leaf.triangles);
  }

  void give_up(double time) {
    earliest_ = {time};
    earliest_.contact.give_up(time);
  }

  bool spend() {
    ++stats_.work;
    return !(exhausted_ = exhausted_ || !toccata::spend(budget_));
  }

  Source* source_ = nullptr;
  Earliest earliest_{0};
  Count budget_ = 0;
  bool any_ = false, exhausted_ = false, tried_profile_ = false, is_clear_ = false;
  std::vector<DepthTask> stack_, rest_;
  Stats stats_;
};

}  // namespace toccata
