// Overlaps that a comparison of elements does not prove: bodies inside solids of other bodies, and
// surfaces that intersect although rounding hides which triangles intersect.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Returns whether a component of one body is inside a solid of the other at `time`. The surfaces
/// must not meet after `time` and before `until`.
bool is_inside(const MovingPair& pair, double time, double until);

inline bool starts_inside(const MovingPair& pair, double until) {
  return is_inside(pair, 0, until);
}

/// Returns the answer for bodies that start inside each other: an overlap without contact points.
Contact inside_at_start(const Stats& stats);

/// Returns true only if the surfaces of two bodies made of triangles intersect for all poses within
/// the rounding error of `state`. False proves nothing.
///
/// Two boxes of the same size, one pushed half into the other, have faces in common planes. A shift
/// by the rounding error separates each pair of intersecting triangles, but not all pairs at once.
/// The proof is therefore about whole surfaces.
///
/// At least one surface must be closed: each edge has an even number of faces, so every path
/// between its two sides, odd and even, crosses the surface. Then either proof suffices:
///
/// - A connected component of the other surface has points on both sides.
/// - The surfaces are equal and connected, and a point is inside of both. Disjoint surfaces would
///   be nested, and the inner surface would enclose a smaller volume.
bool surfaces_meet(const MovingPair& pair, const PairState& state);

}  // namespace toccata
