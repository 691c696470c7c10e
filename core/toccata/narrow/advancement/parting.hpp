// Parting: proofs that hulls in touch at the start move apart, up to a certain time.
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

/// Limits for hulls in touch. They are less than `distance` apart, and by at least `gap` along the
/// direction in which they part. A negative gap means that they may overlap. `error` exceeds the
/// rounding error of distances.
struct TouchLimits {
  double distance, gap, error;

  /// Bounds the rounding of a computed gap and distance, which err by less than the error each.
  double rounding() const { return 4 * error; }
};

/// Two bodies at the start: whether they are within separation + tolerance, a lower bound of their
/// distance, and the direction between their closest points (unit, from b to a, world; NaN if there
/// is no direction).
struct StartGap {
  bool is_near = false;
  double distance = 0;
  Vec3d normal{not_a_number, not_a_number, not_a_number};
};

/// Result of a proof that two hulls move apart from their poses at the start.
struct Parting {
  double time = 0;    ///< the end of the proof; 0 without proof, above 1 if it lasts until the end
  bool left = false;  ///< the hulls are farther apart than the distance by then
};

/// Returns the better of two proofs. A proof that the hulls have left each other is better, and
/// among such proofs the earlier one, because it ignores fewer contacts. Otherwise the proof that
/// lasts longer is better.
inline Parting better(const Parting& x, const Parting& y) {
  if (x.left != y.left) return x.left ? x : y;
  return (x.time < y.time) == x.left ? x : y;
}

/// Proves that hulls a and b part along the unit vector n (from b to a, world, at the start), which
/// is fixed in the frame of one hull. In that frame, each corner of the other hull moves away while
/// it is within the distance, and stays beyond it afterwards. Therefore the gap along n never falls
/// below its initial value. Returns no proof if the initial gap is below `touch.gap`.
Parting parting_along(const Vec3d& n, const CarriedHull& a, const CarriedHull& b,
                      const TouchLimits& touch);

/// Does the same with n fixed in the frame of `carrier`.
Parting leaving_along(const Vec3d& n, const CarriedHull& over, const CarriedHull& carrier,
                      const TouchLimits& touch);

}  // namespace toccata
