// Conservative advancement of two hulls in double precision: the inner loop for cells of surfaces.
#pragma once

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// A hull in world coordinates, and the motion of its body at that time.
struct MovingHull {
  const Hull& world;
  const MotionState& state;
};

/// Returns the time for which a gap along the unit vector n (from b to a) exceeds the separation,
/// given that it exceeds it by `room` now and closes as fast as possible. Returns 0 without room.
double free_time(const MovingHull& a, const MovingHull& b, const Vec3d& n, double room);

/// Returns the direction along which two hulls are farthest apart or overlap least: unit, from b to
/// a.
Vec3d widest_direction(const Hull& a, const Hull& b);

/// Bounds from below the time until which two hulls that start in touch move apart along one of the
/// directions that can separate them (`parting_along`). Returns 0 if that time is not after `now`.
/// The hulls come no closer than at the start, or than the bodies at the start (`start_distance`),
/// up to their margins.
double release_time(const CarriedHull& a, const CarriedHull& b, const TouchLimits& touch,
                    double start_distance, double now);

}  // namespace toccata
