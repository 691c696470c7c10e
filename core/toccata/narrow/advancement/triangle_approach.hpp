// How soon two triangles can meet, in double precision: the leaves of all advancement methods.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/math/parabola.hpp"
#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// Two triangles (world coordinates) at one time. `gap` is a certified lower bound of their
/// distance, `closest.distance` an upper bound, both up to the rounding error of the pair; the
/// distance stays above `separation` for at least `step`.
struct TriangleApproach {
  Closest closest;
  Vec3d normal;  ///< unit, from b to a: the direction of the gap
  double gap;
  double step;
};

struct MovingTriangle {
  const Triangle& body;  ///< in body coordinates
  const MotionState& state;
};

struct CarriedTriangle {
  const Triangle& body;  ///< in body coordinates
  const Motion& motion;
};

/// `error` exceeds the rounding error of the distances; `enough` is a loss of gap not worth a
/// search for better directions.
TriangleApproach approach(const MovingTriangle& a, const MovingTriangle& b, double separation,
                          double error, double enough);

/// How long two triangles certainly stay farther apart than `distance`, by the best of some ways in
/// which the direction of `approach` may turn. World coordinates.
double rotating_step(const TriangleApproach& approach, const Triangle& world_a,
                     const MotionState& state_a, const Triangle& world_b,
                     const MotionState& state_b, double distance);

/// Bounds from below until when two triangles that start in touch move apart, along a direction in
/// which they are as far apart as they are at the start (`parting_along`), or in which the bodies
/// are (`start`). Up to this time the triangles do not come nearer than they start, or than the
/// bodies start. 0 if they do not move apart. `touch.gap` counts for triangles that intersect or
/// touch, up to rounding.
double release_time(const CarriedTriangle& a, const CarriedTriangle& b, const TouchLimits& touch,
                    const StartGap& start);

}  // namespace toccata
