// Proximities at one time, for all settings.
#pragma once

#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/query/setting/two_bodies.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// Returns the proximities within `distance` at t = 0, ordered by distance. Throws
/// `invalid_argument` for curved surfaces.
std::vector<Proximity> proximities(const TwoBodies& bodies, double distance,
                                   const ProximityScope& scope = {});
std::vector<Proximity> proximities(const ManyBodies& scene, double distance);
/// Returns the proximities of a robot at configuration q, which has been checked. `body_a` is a
/// link. `body_b` is a link, or the number of links plus a body of the world.
std::vector<Proximity> proximities(const Robot& robot, const BodySet& world, const double* q,
                                   double distance, const IgnoredPairs* ignored);

}  // namespace toccata
