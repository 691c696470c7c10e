// A leaf pair in a query: whether its elements touch, and otherwise how long they certainly do not.
#pragma once

#include "toccata/narrow/advancement/triangle_approach.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// The result of a test of two elements.
struct LeafApproach {
  TriangleApproach triangles;
  bool touches;  ///< proven to be within separation + tolerance, in a contact that counts
  double step;   ///< duration without contact, if they do not touch
};

/// Tests elements a and b at the time of `state`. With `Initial::ignore_separating`, a contact does
/// not count while the elements separate from their start and have not left the tolerance. The
/// query begins at `start`; the elements may intersect there. A contact of intersecting curved
/// surfaces has no normal.
LeafApproach approach_leaves(const MovingPair& pair, const PairState& state, Index a, Index b,
                             double start = 0);

/// Returns a shorter advance than `leaf`'s, after which the elements are still about half of the
/// tolerance farther apart than the separation. A contact can be reported there, and other pairs
/// need not be proven free until the very end.
double short_of_contact(const MovingPair& pair, const LeafApproach& leaf);

}  // namespace toccata
