// A direction that turns with the features it separates.
//
// Along a direction that is held still, the ends of two edges that turn come nearer at first order
// although the edges do not: near a grazing contact the steps shrink with the gap. Along one that
// turns with the edges (or the face) they shrink only with its square root.
#pragma once

#include "toccata/narrow/triangle_approach.hpp"

namespace toccata {

/// How long two triangles certainly stay farther apart than `distance`, by the best of some ways in
/// which the direction of `approach` may turn. World coordinates.
double turning_step(const TriangleApproach& approach, const Triangle& world_a,
                    const MotionState& state_a, const Triangle& world_b, const MotionState& state_b,
                    double distance);

}  // namespace toccata
