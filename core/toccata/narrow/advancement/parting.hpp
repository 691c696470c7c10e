// Hulls that start in touch and move apart: for how long they certainly do.
#pragma once

#include "toccata/geometry/hull.hpp"
#include "toccata/geometry/triangle.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

/// A hull in body coordinates, and the motion of its body.
struct CarriedHull {
  Hull body;
  const Motion& motion;
};

inline Hull hull_of(const Triangle& t) {
  return {{t.corner[0], t.corner[1], t.corner[2], t.corner[2]}, 0};
}

/// Limits for hulls that are in touch: less than `distance` apart, and by at least `gap` along the
/// direction in which they part; negative if they may overlap. `error` exceeds the rounding error
/// of distances.
struct TouchLimits {
  double distance, gap, error;

  /// Computed gaps and distances err by less than the error each.
  double rounding() const { return 4 * error; }
};

/// Two bodies at the start: whether they are within separation + tolerance of each other, a lower
/// bound of their distance, and the direction of their closest points (unit, from b to a, world;
/// NaN where there is none).
struct StartGap {
  bool is_near = false;
  double distance = 0;
  Vec3d normal{not_a_number, not_a_number, not_a_number};
};

/// Until when two hulls move apart from how they started.
struct Parting {
  double time = 0;    ///< 0: not at all; more than 1: until the end
  bool left = false;  ///< whether they are farther apart than the distance by then
};

/// The better of two proofs: one by which the hulls have left each other, the earlier the less is
/// overlooked; otherwise the one that lasts longer.
inline Parting better(const Parting& x, const Parting& y) {
  if (x.left != y.left) return x.left ? x : y;
  return (x.time < y.time) == x.left ? x : y;
}

/// Proves the parting of hulls a and b along the unit vector n (from b to a, world, at the start),
/// which one of the two carries along: seen from that one, each corner of the other moves away
/// while it is within the distance, and then stays beyond it. So the gap along n never falls below
/// that of the start. None if that is less than `touch.gap`.
Parting parting_along(const Vec3d& n, const CarriedHull& a, const CarriedHull& b,
                      const TouchLimits& touch);

/// The same where `carrier` carries n along.
Parting leaving_along(const Vec3d& n, const CarriedHull& over, const CarriedHull& carrier,
                      const TouchLimits& touch);

}  // namespace toccata
