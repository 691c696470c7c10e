// The methods of first contact of two rigid bodies, besides `walk_pair`, which is "auto". Each
// finds a contact from `start` on, and before the cutoff of the options; none knows what came
// before `start`.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// method="hca": hierarchical conservative advancement.
Contact hca(const MovingPair& pair, double start);

/// method="c2a": controlled conservative advancement.
Contact c2a(const MovingPair& pair, double start);

/// What remains to be done with the contact of two surfaces, of whatever method: what touches from
/// the start, or starts inside a solid, is an initial overlap.
void look_inside(Contact& contact, const MovingPair& pair);

}  // namespace toccata
