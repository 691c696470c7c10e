// Advancing the pairs of a family together (Tang et al. 2013, algorithm 3: the function ToC of a
// pair, for eight pairs at a time).
#pragma once

#include <algorithm>

#include "toccata/query/rigid/expand.hpp"

namespace toccata {

/// The pairs of one family: before `time` nothing below a pair touches.
struct Siblings {
  Family family;
  std::array<double, lanes> time;
  unsigned open;       ///< pairs that can touch before the cutoff
  unsigned unsettled;  ///< open pairs that another step may well advance

  /// The open pair with the least time.
  int earliest() const {
    int best = std::countr_zero(open);
    for_lanes(open & (open - 1), [&](int lane) {
      if (time[lane] < time[best]) best = lane;
    });
    return best;
  }
};

/// A pair is worth another step rather than a split as long as its gap beyond the separation
/// exceeds this share of its size: it may prove free without its children being looked at. Measured on the benchmark's
/// models, where the time is flat between 0.05 and 0.15.
constexpr float settled_gap = 0.1f;

/// One step of advancement from the time of `state`, for every open pair whose proof reaches that
/// far. The state's bounds hold at least until `cutoff`.
template <VolumeKind kind>
void advance(const MovingPair& pair, const Expansion<kind>& expansion, const PairState& state,
             double cutoff, Siblings& siblings, Stats& stats) {
  const double now = state.time;
  const Approach bounds = expansion.bounds(state);
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(siblings.open);
  for_lanes(siblings.open, [&](int lane) {
    double& time = siblings.time[lane];
    if (time < now) return;
    time = std::max(time, now + static_cast<double>(bounds.step[lane]));
    const unsigned bit = 1u << lane;
    if (time >= cutoff) siblings.open &= ~bit, ++stats.front_nodes;
    const double room = bounds.gap[lane] - pair.separation();
    if (time < cutoff && room > settled_gap * expansion.reach(lane))
      siblings.unsettled |= bit;
    else
      siblings.unsettled &= ~bit;
  });
}

/// The children of a pair after one step from the time of `state`, up to which their parents have
/// shown them to be free of contact: bounds are inherited.
template <VolumeKind kind>
Siblings first_step(const MovingPair& pair, const Expansion<kind>& expansion,
                    const PairState& state, double cutoff, Stats& stats) {
  Siblings siblings{expansion.family(), {}, expansion.used(), 0};
  siblings.time.fill(state.time);
  advance(pair, expansion, state, cutoff, siblings, stats);
  return siblings;
}

}  // namespace toccata
