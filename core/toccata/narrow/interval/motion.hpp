// One moving body seen from another, as a Taylor expansion with remainder: the inclusion functions
// of Redon, Kheddar, Coquillart 2002 (section 3.2), for every kind of motion.
//
// Seen from body x only body y moves, which halves what an enclosure has to carry, and the common
// part of two motions drops out. x should be the body that turns less: its turning adds Coriolis
// terms to the remainder.
#pragma once

#include "toccata/math/pack.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// Body y in the frame of body x (x's axes, x's mesh center as origin) at one time. A point of y at
/// P moves with drift + spin x P, an axis F of y with spin x F. The bounds hold for a whole window.
template <class S>
struct RelativeTaylor {
  Mat3<S> rotation;  ///< y's axes in x's
  Vec3<S> offset;    ///< y's mesh center
  Vec3<S> drift, spin;
  S turn, turn2;  ///< bound the first and second derivative of `rotation`

  // What `bend` needs of the two motions.
  Vec3<S> pivot_x, pivot_y;
  Vec3<S> spin_y;  // of y alone
  Vec3<S> slide;   // velocity of y's pivot less that of x's
  S acceleration;  // of both pivots
  S turning_y, spin_speed_y;
  S turn_x, turn2_x;  // bound the first and second derivative of x's rotation
};

/// A body's state with what bounds its accelerations over the window.
struct BodyWindow {
  const MotionState& state;   ///< at the time of the expansion
  const MotionState& bounds;  ///< its accelerations hold for the whole window
  const Vec3d& center;        ///< of the mesh, in body coordinates
};

RelativeTaylor<double> relative_taylor(const BodyWindow& x, const BodyWindow& y);

/// The same in single precision; bounds are rounded up.
RelativeTaylor<float> to_float(const RelativeTaylor<double>& taylor);

inline const Vec3d& lift(const Vec3d& v) { return v; }
inline Vec3p lift(const Vec3f& v) { return broadcast(v); }

/// Bounds the acceleration in x's frame of the point of y that is at `point` now, for times within
/// `duration`. With o the pivot of x, P = Rx^T (y - o), hence
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
