// Advancing the pairs of a family together (Tang et al. 2013, algorithm 3: the function ToC of a
// pair, for eight pairs at a time).
#pragma once

#include "toccata/walk/expand.hpp"
#include "toccata/walk/lane_times.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// The pairs of one family: before its time nothing below a pair touches. Pairs that cannot touch
/// before the cutoff are done with.
struct Siblings {
  Family family;
  LaneTimes time;
  unsigned unsettled;  ///< open pairs that another step may well advance
};

/// A pair is worth another step rather than a split as long as its gap beyond the separation
/// exceeds this share of its size: it may prove free without its children being looked at. Measured
/// on the benchmark's models, where the time is flat between 0.05 and 0.15.
constexpr float settled_gap = 0.1f;

/// One step of advancement from the time of `view`, for every open pair whose proof reaches that
/// far. The bounds of the view hold at least until `cutoff`.
template <VolumeKind kind>
void advance(PairView& view, const Expansion<kind>& expansion, double cutoff, Siblings& siblings,
             Stats& stats) {
  const RelativeState& relative = view.relative(siblings.family.of_a);
  const Approach bounds = expansion.bounds(relative);
  const unsigned open = siblings.time.open();
  const float separation = static_cast<float>(view.pair().separation());
  unsigned promising = bits(bounds.gap - separation > settled_gap * expansion.reach());
  Pack step = bounds.step;
  if (stats.ca_iterations > many_steps) [[unlikely]] {
    step = expansion.look_closer(view.state(), cutoff - view.time(), open, step);
    promising |= bits(step >= relative.horizon);
  }
  unsigned known = 0;
  for (int k = 0; k < 2; ++k) {
    Quad& time = siblings.time.half[k];
    const QuadMask reached = time >= view.time();
    known |= bits(reached) << 4 * k;
    time = select(reached, max(time, view.time() + widened(step, k)), time);
    time = select(time < cutoff, time, quad(LaneTimes::never));
  }
  const unsigned left = siblings.time.open();
  siblings.unsettled = left & ((siblings.unsettled & ~known) | (promising & known));
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(open);
  stats.front_nodes += std::popcount(open & ~left);
}

/// The children of a pair that is free of contact until `time`, after one step from the time of
/// `view`, which is not later: bounds are inherited.
template <VolumeKind kind>
Siblings first_step(PairView& view, const Expansion<kind>& expansion, double time, double cutoff,
                    Stats& stats) {
  Siblings siblings{expansion.family(), {time, expansion.used()}, 0};
  advance(view, expansion, cutoff, siblings, stats);
  return siblings;
}

}  // namespace toccata
