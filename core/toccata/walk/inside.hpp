// Whether a body starts inside a solid.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Whether a part of one body starts inside a solid of the other, given that after the start their
/// surfaces do not meet before `until`.
bool starts_inside(const MovingPair& pair, double until);

/// The answer for such bodies, which touch nowhere.
Contact inside_at_start(const Stats& stats);

}  // namespace toccata
