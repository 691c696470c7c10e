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

/// The unit normal about which the corners turn left, up to 2^-50 however thin the triangle is; NaN
/// if it has no area.
Vec3d unit_normal(const Triangle& triangle);

/// A triangle of a moving body. One through which the other triangle may leave a solid has a front.
struct CarriedTriangle {
  const Triangle& body;  ///< in body coordinates
  const Motion& motion;
  int outward = 0;  ///< 1: its `unit_normal` points out of the solid, -1: into it
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

/// Bounds from below until when two triangles move apart, along a direction in which they are as
/// far apart as the bodies are at the start, up to rounding (`parting_along`). Up to this time they
/// do not come nearer than the bodies start. 0 if that is not after `now`. `touch.gap` counts for
/// triangles that intersect by more than rounding, and for one that leaves a solid through the
/// other: all of its points that pass the plane of that face go out.
double release_time(const CarriedTriangle& a, const CarriedTriangle& b, const TouchLimits& touch,
                    const StartGap& start, double now);

}  // namespace toccata
