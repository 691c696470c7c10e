// How soon two hulls can meet, in double precision: the inner step for cells of surfaces.
#pragma once

#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// A hull in world coordinates and the motion of its body at that time.
struct MovingHull {
  const Hull& world;
  const MotionState& state;
};

/// How long a gap along the unit vector n (from b to a) lasts that exceeds what is asked for by
/// `room`, given the fastest that it can close. 0 if there is no room.
double free_time(const MovingHull& a, const MovingHull& b, const Vec3d& n, double room);

/// The direction along which two hulls overlap least, or are farthest apart: unit, from b to a.
Vec3d widest_direction(const Hull& a, const Hull& b);

/// Bounds from below until when two hulls that start in touch move apart, along one of the
/// directions that can separate them (`parting_along`). 0 if that is not after `now`. Hulls come
/// no nearer than they start, or than the bodies start (`start_distance`), up to their margins.
double release_time(const CarriedHull& a, const CarriedHull& b, const TouchLimits& touch,
                    double start_distance, double now);

}  // namespace toccata
