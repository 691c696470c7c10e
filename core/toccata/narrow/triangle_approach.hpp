// How soon two triangles can meet, in double precision: the leaves of all advancement methods.
#pragma once

#include "toccata/geometry/triangle.hpp"
#include "toccata/narrow/parting.hpp"

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

/// Less room than this is none: products of what it is compared with could underflow. Above it,
/// rates and bends that err by 2^-1000 move a root in [0, 1] by 2^-600 of itself at most. A square
/// that vanishes changes `root` below by 2^-537: where that is more than 2^-57 of the divisor, the
/// time exceeds 1 by far.
inline constexpr double least_room = 0x1p-400;

/// Smallest positive root of room = rate * t + bend * t^2, or infinity; 0 without room.
inline double time_to_use_up(double room, double rate, double bend) {
  if (!(room > least_room)) return 0;
  const double root = std::sqrt(rate * rate + 4 * bend * room);
  return rate >= 0 ? 2 * room / (rate + root) : (root - rate) / (2 * bend);
}

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

/// For two triangles that start in touch: until when they certainly move apart, along one of the
/// directions that can separate them (`parting_along`). 0 if they do not.
double release_time(const CarriedTriangle& a, const CarriedTriangle& b, const TouchLimits& touch);

}  // namespace toccata
