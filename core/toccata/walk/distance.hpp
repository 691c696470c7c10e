// The distance of two bodies made of triangles at one time.
#pragma once

#include "toccata/walk/pair.hpp"

namespace toccata {

/// Certified bounds of a distance. Both are 0 if the surfaces intersect by more than rounding (see
/// `surfaces_meet`), or if one body is inside a solid of the other. The normal is NaN then. For a
/// body inside a solid the points are NaN, too.
struct Distance {
  double lower = 0, upper = 0;
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, 0, Feature::none};  ///< in world coordinates
  Vec3d normal = nowhere;  ///< unit vector from b to a; NaN unless the distance exceeds rounding
};

/// Returns the answer for bodies that are at least `lower` apart. It has no points and no normal.
inline Distance beyond_limit(double lower) {
  return {lower, infinity, -1, -1, {nowhere, nowhere, infinity, Feature::none}, nowhere};
}

/// Computes the distance of bodies made of triangles, in a state at time 0. For bodies at `limit`
/// or farther, returns `beyond_limit`. `lower` is then the limit, or less by at most the rounding
/// error.
Distance least_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

/// Computes the distance of the surfaces. Ignores whether a body is inside a solid.
Distance surface_distance(const MovingPair& pair, const PairState& state, double limit = infinity);

}  // namespace toccata
