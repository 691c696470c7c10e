// What an earliest-first walk has spent on a pair of bodies, and what it does about it.
#pragma once

#include <limits>

#include "toccata/walk/profile.hpp"

namespace toccata {

/// A walk that has taken this many steps for a pair of bodies has met surfaces that conform, and
/// looks closer. Most walks are over by then. After some more it asks for proof by profile, once.
constexpr Count many_steps = 500, profile_steps = 2 * many_steps;

/// Lanes whose volumes are about as near to each other as single precision can tell.
inline unsigned nearly_touching(const Approach& bounds, const RelativeState& relative,
                                double separation) {
  const Pack room = bounds.gap - static_cast<float>(separation);
  return bits(room > -2 * relative.gap_slack) & bits(room < 8 * relative.gap_slack);
}

struct Effort {
  /// From here on it looks closer at volumes of which single precision cannot tell whether they
  /// touch: flat on flat is made of them, other walks have few.
  static constexpr Count some_steps = many_steps / 2;
  /// Knots that are near to each other take up to 1,000 steps, and a closer look costs as much as
  /// four of them: some are taken at the roots, others only after many more steps.
  static constexpr Count closer_steps = 4 * many_steps, root_steps = 32;

  Count steps = 0;
  double cutoff = 0;  ///< nothing is asked from then on, until the pair comes up again
  Index first = 0;    ///< branches before this one are done with
  Count closer = 0;   ///< it looks closer up to this step
  bool tried_profile = false;

  /// The pair comes up, for the first time or again: what is spent until `end` counts.
  void begin(double end) {
    cutoff = end;
    steps = closer = 0;
  }

  bool looks_closer() const { return steps <= closer || steps > closer_steps; }
  /// Large node pairs that had to be split may prove free by a closer look.
  bool shall_start_over() const { return steps > many_steps && closer == 0; }
  void start_over(Index next_branch) {
    first = next_branch;
    closer = steps + root_steps;
  }
  void try_profile(const MovingPair& pair) {
    if (steps != profile_steps || tried_profile || !pair.options().profile) return;
    tried_profile = true;
    if (clear_by_profile(pair)) first = std::numeric_limits<Index>::max();
  }
};

}  // namespace toccata
