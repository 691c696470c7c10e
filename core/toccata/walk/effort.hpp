// The effort that a best-first traversal has spent on a pair of bodies, and the more expensive
// tests that follow a large effort.
//
// Three measures exist: double precision for volumes that nearly touch, a new start from the roots,
// and the proof by profile.
#pragma once

#include <limits>

#include "toccata/walk/profile.hpp"

namespace toccata {

/// Number of advances after which the surfaces of a pair probably conform; most traversals end
/// before. After `profile_steps`, the proof by profile is tried once.
constexpr Count many_steps = 500, profile_steps = 2 * many_steps;

/// Returns the lanes whose volumes are within a few rounding errors (single precision) of the
/// separation.
inline unsigned nearly_touching(const Approach& bounds, const RelativeState& relative,
                                double separation) {
  const Pack room = bounds.gap - static_cast<float>(separation);
  return bits(room > -2 * relative.gap_slack) & bits(room < 8 * relative.gap_slack);
}

/// The effort for one pair of bodies. Volumes get tight bounds by `Expansion::tighten`.
struct Effort {
  /// Number of advances after which volumes that nearly touch get tight bounds. Flat contact
  /// consists of such volumes; other traversals have few.
  static constexpr Count some_steps = many_steps / 2;
  /// Number of advances after which all volumes get tight bounds, and number of advances with tight
  /// bounds after a new start. Entangled knots need up to 1,000 advances, and an advance with tight
  /// bounds costs as much as four.
  static constexpr Count tight_steps = 4 * many_steps, root_steps = 32;

  Count steps = 0;    ///< advances since the pair was opened
  double cutoff = 0;  ///< times from here on are ignored until the pair is opened again
  Index first = 0;    ///< branches before this index are dropped
  Count tight = 0;    ///< volumes get tight bounds up to this number of advances
  bool tried_profile = false;

  /// Starts to count when the pair is opened. The traversal of the pair ends at `end`.
  void begin(double end) {
    cutoff = end;
    steps = tight = 0;
  }

  bool tightens() const { return steps <= tight || steps > tight_steps; }
  /// Tells to start again from the roots: tight bounds may exclude large node pairs that were
  /// split.
  bool shall_start_over() const { return steps > many_steps && tight == 0; }
  void start_over(Index next_branch) {
    first = next_branch;
    tight = steps + root_steps;
  }
  void try_profile(const MovingPair& pair) {
    if (steps != profile_steps || tried_profile || !pair.options().profile) return;
    tried_profile = true;
    if (clear_by_profile(pair)) first = std::numeric_limits<Index>::max();
  }
};

}  // namespace toccata
