// Advancing the children of a pair of nodes together (Tang et al. 2013, algorithm 3: the function
// ToC of a pair, eight pairs at a time).
#pragma once

#include <algorithm>

#include "toccata/query/rigid/expand.hpp"

namespace toccata {

/// Earliest possible contact of each child pair, for the lanes that are still open.
struct Advanced {
  std::array<double, lanes> time;
  unsigned open;
};

/// How far to advance pairs before descending. A pair is worth another step as long as its gap is
/// more than `settled` of its size: it may prove free without its children being looked at.
struct Patience {
  int steps;
  float settled;
};

/// Children that cannot touch before `cutoff` are closed. Bounds start from `start`, which the
/// parents have shown to be free of contact: they are inherited.
template <VolumeKind kind>
Advanced advance(const MovingPair& pair, const Expansion<kind>& expansion, double start,
                 double cutoff, Patience patience, Stats& stats) {
  Advanced result;
  result.time.fill(start);
  result.open = expansion.used();
  unsigned pending = result.open;
  double now = start;
  for (int step = 0; step < patience.steps && pending; ++step) {
    const Approach bounds = expansion.bounds(pair.state(now, std::min(cutoff, 1.0)));
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(pending);
    double next = cutoff;
    for_lanes(pending, [&](int lane) {
      // Every pending lane is free up to a time not before `now`, so the proofs join.
      double& time = result.time[lane];
      time = std::max(time, now + static_cast<double>(bounds.step[lane]));
      if (time >= cutoff) result.open &= ~(1u << lane);
      if (time >= cutoff || !(bounds.gap[lane] > patience.settled * expansion.reach(lane)))
        pending &= ~(1u << lane);
      else
        next = std::min(next, time);
    });
    now = next;
  }
  return result;
}

}  // namespace toccata
