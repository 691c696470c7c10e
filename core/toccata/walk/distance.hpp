// The least distance of two bodies at one time.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// The distance lies in lower..upper. Both are 0 for bodies that intersect by more than rounding,
/// see `surfaces_meet`, or one of which is inside a solid of the other; then there is no normal,
/// and inside there are no points either.
struct Distance {
  double lower = 0, upper = 0;
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, 0, Feature::none};  ///< world
  Vec3d normal = nowhere;  ///< unit, from b to a; NaN unless the distance exceeds rounding
};

/// Of bodies made of triangles, in a state at time 0. Distances of `limit` and more need not be
/// told from each other: then `lower` is at least the limit, and `upper` may be infinite.
Distance least_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

/// Of the surfaces alone, whatever is inside.
Distance surface_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

}  // namespace toccata
