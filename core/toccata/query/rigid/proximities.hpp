// What is near in two bodies, or in a scene.
#pragma once

#include "toccata/query/rigid/scene.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// All feature pairs of two bodies at t = 0 that are within `distance`, by distance. Throws
/// `invalid_argument` for curved surfaces.
std::vector<Proximity> proximities(const Body& a, const Body& b, double distance,
                                   const NearScope& scope = {});

/// Of all pairs of bodies of a scene that are not ignored.
std::vector<Proximity> proximities(const Scene& scene, double distance);

}  // namespace toccata
