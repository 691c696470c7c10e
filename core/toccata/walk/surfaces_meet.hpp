// Surfaces that certainly meet although rounding hides in which triangles.
//
// Two boxes of the same size, one pushed half into the other, have faces in common planes: each
// pair of triangles that meet can be taken apart by a shift of the size of the rounding error, but
// never all of them at once. The proof is therefore one of whole surfaces.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Returns true only if the surfaces of two bodies of triangles meet, whatever rounding did to
/// their poses in `state`. The proofs need at least one closed surface: each edge has an even
/// number of faces, so that a path between points on its two sides, odd and even, crosses it.
///
/// - A connected part of the other surface has points on both sides.
/// - Both are equal and connected, and a point is inside of both. Disjoint surfaces would be
/// nested,
///   and the inner one would enclose a smaller volume.
bool surfaces_meet(const MovingPair& pair, const PairState& state);

}  // namespace toccata
