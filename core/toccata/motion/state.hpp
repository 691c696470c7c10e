// What a query needs to know of a motion at one time.
#pragma once

#include "toccata/math/pose.hpp"

namespace toccata {

/// Pose and velocities at a time t, and how fast the velocities can change until the end of
/// the window that was asked for. A body point at offset r (world axes) from the pivot moves with
/// velocity + spin x r, and its acceleration is at most
///   acceleration + turning |r| + spin_speed |spin x r|     for all of the window.
/// The first-order Taylor polynomial with this remainder encloses the point's path.
struct MotionState {
  Pose pose;
  Vec3d pivot{0, 0, 0};     ///< body point to which `velocity` belongs
  Vec3d velocity{0, 0, 0};  ///< of the pivot, world axes
  Vec3d spin{0, 0, 0};      ///< angular velocity, world axes
  double acceleration = 0;  ///< of the pivot
  double turning = 0;       ///< of a spin w that varies: |w'| + |w|^2; 0 if it is constant
  double spin_speed = 0;    ///< |spin| if it is constant, otherwise 0
};

/// How long a step of two bodies with that sum of spins may be. Beyond about a radian the expansion
/// of the motion is too coarse to be worth more. More than 1, so that one step can exceed the end.
inline double horizon(double spin) { return spin > 1 ? 1 / spin : 1 + 0x1p-10; }

/// Velocity of the body point that is at `point`, world coordinates.
inline Vec3d velocity_at(const MotionState& state, const Vec3d& point) {
  return state.velocity + cross(state.spin, point - state.pose * state.pivot);
}

}  // namespace toccata
