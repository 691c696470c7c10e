// Bodies that turn or slide along one axis: a shaft in its bore, a piston in its cylinder.
//
// Such surfaces conform to each other but lie along no common plane, so that pairs of volumes prove
// free only when they are about as small as the triangles. How far a point is from the axis does
// not change, though, and two points are at least as far apart as their distances from it differ.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Whether the bodies stay apart for all of the motion by their profiles about the axis of their
/// relative motion. False says nothing. Looks at all triangles of both.
bool clear_by_profile(const MovingPair& pair);

}  // namespace toccata
