// Relative motion of two bodies as a Taylor expansion with remainder: the inclusion functions of
// Redon, Kheddar, Coquillart 2002 (section 3.2), for every kind of motion.
//
// Relative to body x only body y moves. This halves the size of an enclosure, and the common
// component of the two motions cancels. Body x should be the one that rotates less, because its
// rotation adds Coriolis terms to the remainder.
#pragma once

#include "toccata/math/pack.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// Motion of body y in the frame of body x (x's axes, x's mesh center as origin) at one time. A
/// point of y at P has the velocity drift + spin x P, and an axis F of y has the derivative spin x
/// F. The bounds hold throughout a window.
template <class S>
struct RelativeTaylor {
  Mat3<S> rotation;  ///< axes of y in the frame of x
  Vec3<S> offset;    ///< mesh center of y
  Vec3<S> drift, spin;
  S turn, turn2;  ///< bound the first and second derivative of `rotation`

  // Data of the two motions for `bend`.
  Vec3<S> pivot_x, pivot_y;
  Vec3<S> spin_y;  // spin of y alone
  Vec3<S> slide;   // velocity of y's pivot minus the velocity of x's pivot
  S acceleration;  // sum of the bounds for both pivots
  S turning_y, spin_speed_y;
  S turn_x, turn2_x;  // bound the first and second derivative of x's rotation
};

/// State of a body, with bounds of its accelerations over the window.
struct BodyWindow {
  const MotionState& state;   ///< at the time of the expansion
  const MotionState& bounds;  ///< its accelerations hold throughout the window
  const Vec3d& center;        ///< center of the mesh, in body coordinates
};

RelativeTaylor<double> relative_taylor(const BodyWindow& x, const BodyWindow& y);

/// Converts to single precision; bounds are rounded up.
RelativeTaylor<float> to_float(const RelativeTaylor<double>& taylor);

inline const Vec3d& lift(const Vec3d& v) { return v; }
inline Vec3p lift(const Vec3f& v) { return broadcast(v); }

/// Bounds the acceleration, in the frame of x, of the point of y that is now at `point`, for times
/// within `duration`. Proof: with o the pivot of x, P = Rx^T (y - o), hence
///   |P''| <= |y'' - o''| + 2 |Rx'| |y' - o'| + |Rx''| |y - o|.
template <class S, class V>
auto bend(const RelativeTaylor<S>& m, const V& point, S duration) {
  const V arm = point - lift(m.pivot_y), swing = cross(lift(m.spin_y), arm);
  const auto own = m.acceleration + m.turning_y * norm(arm) + m.spin_speed_y * norm(swing);
  if (!(m.turn2_x > 0)) return own;
  const auto speed = norm(lift(m.slide) + swing) + duration * own;
  const auto far = norm(point - lift(m.pivot_x)) + duration * speed;
  return own + 2 * m.turn_x * speed + m.turn2_x * far;
}

}  // namespace toccata
