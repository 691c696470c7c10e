// Hierarchical conservative advancement of one pair of bodies of a robot after the other (Tang et
// al. 2013, algorithm 3), with one earliest contact for all of them.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/interruption.hpp"
#include "toccata/query/articulated/chain_bound.hpp"
#include "toccata/query/articulated/grid_pair.hpp"
#include "toccata/walk/advance.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

/// A pair of nodes that is free of contact until `time`, so many splits below the roots.
struct HcaTask {
  double time;
  NodePair nodes;
  int depth;
};

/// How far a walk goes before it leaves the rest for later.
struct HcaExtent {
  int depth;   ///< of splits below the roots
  int leaves;  ///< pairs of triangles
};

/// The earliest contact so far, in the frame of the pair of bodies that touch, if any do.
struct EarliestContact {
  double cutoff;  ///< no contact from this time on is of interest
  Contact contact{};
  LivePair* live = nullptr;
};

/// Keeps its memory from motion to motion.
class HcaWalk {
 public:
  static constexpr int all = INT32_MAX;

  /// Starts a motion, without any contact. With `any` a contact need not be the first of its
  /// triangles. `places` are at the start of the same motion.
  void start(const Journey& journey, const double* q_0, const double* q_1, bool any);

  /// Turns to another pair of bodies, of which nothing is known but these pairs of nodes.
  void look_at(LivePair& live, std::span<const HcaTask> tasks);

  /// Depth first, the earliest pair of nodes first.
  void run(HcaExtent extent);

  /// One pair of triangles, free until `time`, which moves on to where they touch or cannot touch
  /// before what is known.
  void advance(Index a, Index b, double& time);

  /// What the walk has left, in no order; all of it may touch before the cutoff.
  std::span<const HcaTask> rest() const { return rest_; }

  /// What all walks since the start have found together, unless the caller changes it.
  const EarliestContact& earliest() const { return earliest_; }
  void set_earliest(const EarliestContact& earliest) { earliest_ = earliest; }

  /// The budget has run out, or any contact would do and there is one.
  bool is_over() const { return exhausted_ || (any_ && earliest_.live); }
  bool exhausted() const { return exhausted_; }
  const Stats& stats() const { return stats_; }

 private:
  void expand(const HcaTask& task);
  void step(const Expansion<VolumeKind::swept>& expansion, int slot, Siblings& siblings);
  Pack chain_step(const Expansion<VolumeKind::swept>& expansion, int slot, const Approach& bounds,
                  unsigned open);
  bool probe(Index a, Index b, double time);
  void touch(double time, Index a, Index b, const LeafApproach& leaf);
  bool spend() { return !(exhausted_ = exhausted_ || !toccata::spend(budget_)); }
  Span span(double time) const;

  Places* places_ = nullptr;
  GridPlaces grid_;
  GridPair seen_;
  ChainBound chains_;
  Count chain_asked_ = 0, chain_helped_ = 0;
  double horizon_ = 1;
  float separation_ = 0;
  Count budget_ = 0;
  bool any_ = false, exhausted_ = false;
  LivePair* live_ = nullptr;
  std::vector<HcaTask> stack_, rest_;
  EarliestContact earliest_{0};
  Stats stats_;
};

}  // namespace toccata
