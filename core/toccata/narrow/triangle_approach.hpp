// How soon two triangles can meet, in double precision: the leaves of all advancement methods.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/motion/state.hpp"

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

/// `error` exceeds the rounding error of the distances; `enough` is a loss of gap not worth a
/// search for better directions.
TriangleApproach approach(const MovingTriangle& a, const MovingTriangle& b, double separation,
                          double error, double enough);

/// For two triangles that start in touch: a time by which they are farther apart than `distance`
/// after having moved apart all the while along one direction, or 0 if there is no proof of that.
/// Triangles that overlap by more than `overlap` do not count as in touch.
double release_time(const MovingTriangle& a, const MovingTriangle& b, double distance,
                    double overlap);

}  // namespace toccata
