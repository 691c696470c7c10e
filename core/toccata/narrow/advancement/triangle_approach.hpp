// Conservative advancement of two triangles in double precision: the leaves of all advancement
// methods.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/math/parabola.hpp"
#include "toccata/narrow/advancement/parting.hpp"

namespace toccata {

/// Result for two triangles (world coordinates) at one time. Up to the rounding error of the pair,
/// `gap` is a certified lower bound of their distance and `closest.distance` an upper bound. The
/// distance exceeds `separation` for at least `step`.
struct TriangleApproach {
  Closest closest;
  Vec3d normal;  ///< direction of the gap: unit, from b to a
  double gap;
  double step;
};

/// A triangle of a moving body.
struct MovingTriangle {
  const Triangle& body;  ///< in body coordinates
  const MotionState& state;
};

/// Returns the unit normal about which the corners are counterclockwise, accurate to 2^-50 even for
/// thin triangles; NaN if the area is 0.
Vec3d unit_normal(const Triangle& triangle);

/// A triangle of a moving body. It has an outward side if the other triangle may leave a solid
/// through it.
struct CarriedTriangle {
  const Triangle& body;  ///< in body coordinates
  const Motion& motion;
  int outward = 0;  ///< 1 if its `unit_normal` points out of the solid, -1 if into it
};

/// Computes gap and advance. `error` exceeds the rounding error of distances. `enough` is the loss
/// of gap above which better directions are searched.
TriangleApproach approach(const MovingTriangle& a, const MovingTriangle& b, double separation,
                          double error, double enough);

/// Returns a time for which two triangles are proven farther apart than `distance`, along the best
/// of several rotations of the direction of `approach`. World coordinates.
double rotating_step(const TriangleApproach& approach, const Triangle& world_a,
                     const MotionState& state_a, const Triangle& world_b,
                     const MotionState& state_b, double distance);

/// Bounds from below the time until which two triangles move apart, along a direction in which they
/// are as far apart as the bodies at the start, up to rounding (`parting_along`). Until this time
/// they come no closer than the bodies at the start. Returns 0 if it is not after `now`.
/// `touch.gap` applies to triangles that intersect by more than rounding. It also applies to a
/// triangle that leaves a solid through the other one: all of its points that pass the plane of
/// that face move outward.
double release_time(const CarriedTriangle& a, const CarriedTriangle& b, const TouchLimits& touch,
                    const StartGap& start, double now);

}  // namespace toccata
