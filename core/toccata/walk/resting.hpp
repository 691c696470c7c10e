// Bodies that may rest on each other: `Initial::resting`.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Two bodies that start at a distance d of less than separation + tolerance are asked about half
/// of it, with an eighth of it as tolerance: they may rest, slide and roll. Those that start in
/// contact or farther apart are asked what was asked.
void let_rest(MovingPair& pair);

}  // namespace toccata
