// Whether a body is inside a solid.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Whether a part of one body is inside a solid of the other at `time`, given that after it their
/// surfaces do not meet before `until`.
bool is_inside(const MovingPair& pair, double time, double until);

inline bool starts_inside(const MovingPair& pair, double until) {
  return is_inside(pair, 0, until);
}

/// The answer for such bodies, which touch nowhere.
Contact inside_at_start(const Stats& stats);

}  // namespace toccata
