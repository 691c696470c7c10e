// A proof of freedom for bodies that turn about or slide along one axis: a shaft in its bore, a
// piston in its cylinder.
//
// Such surfaces conform to each other without a common plane. Pairs of volumes are then excluded
// only when the volumes are about as small as triangles. But the distance of a point from the axis
// is constant, and two points are at least as far apart as these distances differ.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Returns true if the profiles about the axis of the relative motion prove that the bodies stay
/// apart during the whole motion. False proves nothing. Visits all triangles of both bodies.
bool clear_by_profile(const MovingPair& pair);

}  // namespace toccata
