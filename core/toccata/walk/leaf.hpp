// A pair of elements within a query: whether it touches, and if not, for how long it cannot.
#pragma once

#include "toccata/narrow/advancement/triangle_approach.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

struct LeafApproach {
  TriangleApproach triangles;
  bool touches;  ///< certainly within separation + tolerance, and that counts
  double step;   ///< otherwise: no contact for at least this long
};

/// Tests elements a and b at the time of `state`. With `Initial::ignore_separating`, a touch does
/// not count while the two move apart from how they started and have not left yet. The two may
/// cross at `start`, before which nothing is known: a contact of curved surfaces has no normal
/// then.
LeafApproach approach_leaves(const MovingPair& pair, const PairState& state, Index a, Index b,
                             double start = 0);

/// A shorter step than that of `leaf`, after which the elements are about half the tolerance away
/// from a contact: within reach of one, and other pairs need not be proven free until the very end.
double short_of_contact(const MovingPair& pair, const LeafApproach& leaf);

/// Makes `contact` say that elements a and b touch at `time`.
void record(Contact& contact, double time, Index a, Index b, const TriangleApproach& approach);

}  // namespace toccata
