// Bodies that start near each other: `Initial::resting` and `Initial::ignore_separating`.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Lets two bodies rest, slide and roll if they start at a distance d, 0 < d < separation +
/// tolerance: asks about d / 2, with a tolerance of d / 8. Bodies that start in contact or farther
/// apart keep their separation and tolerance.
void let_rest(MovingPair& pair);

/// Measures how far two bodies are apart at the start; up to separation + tolerance, 0 if nothing
/// proves them apart. Curved bodies have no direction.
StartGap start_gap(const MovingPair& pair);

}  // namespace toccata
