// The least distance of two bodies at one time.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Certified bounds of a distance. Both are 0 for bodies that intersect by more than rounding (see
/// `surfaces_meet`), or one of which is inside a solid of the other; then there is no normal, and
/// inside there are no points either.
struct Distance {
  double lower = 0, upper = 0;
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, 0, Feature::none};  ///< world
  Vec3d normal = nowhere;  ///< unit, from b to a; NaN unless the distance exceeds rounding
};

/// Returns what is known of bodies whose closest points were not found below a limit.
inline Distance beyond_limit(double lower) {
  return {lower, infinity, -1, -1, {nowhere, nowhere, infinity, Feature::none}, nowhere};
}

/// Computes the distance of bodies made of triangles, in a state at time 0. Bodies that are not
/// nearer than `limit` are `beyond_limit`, and `lower` is the limit. Within the rounding error of
/// the limit `lower` may be less by as much.
Distance least_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

/// Computes the distance of the surfaces alone, whatever is inside.
Distance surface_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

}  // namespace toccata
