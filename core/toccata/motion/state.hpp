// State of a motion at one time, with bounds that hold until the end of a window.
#pragma once

#include "toccata/math/pose.hpp"

namespace toccata {

/// Pose and velocities at a time t, with bounds on the accelerations until the end of a window. A
/// body point at offset r (world axes) from the pivot has the velocity velocity + spin x r.
/// Throughout the window, its acceleration is at most
///   acceleration + turning |r| + spin_speed |spin x r|.
/// Its path is therefore enclosed by the first-order Taylor polynomial with this remainder.
struct MotionState {
  Pose pose;
  Vec3d pivot{0, 0, 0};     ///< body point to which `velocity` belongs
  Vec3d velocity{0, 0, 0};  ///< velocity of the pivot, world axes
  Vec3d spin{0, 0, 0};      ///< angular velocity, world axes
  double acceleration = 0;  ///< bound of the pivot's acceleration
  double turning = 0;       ///< bound of |w'| + |w|^2 if the spin w varies, otherwise 0
  double spin_speed = 0;    ///< |spin| if it is constant, otherwise 0
};

/// Returns the longest useful advance of two bodies whose spins have this sum. Beyond about a
/// radian the expansion of the motion is too coarse. The result may exceed 1, so that one advance
/// can reach the end.
inline double longest_advance(double spin) { return spin > 1 ? 1 / spin : 1 + 0x1p-10; }

/// Returns the velocity of the body point at `point`, in world coordinates.
inline Vec3d velocity_at(const MotionState& state, const Vec3d& point) {
  return state.velocity + cross(state.spin, point - state.pose * state.pivot);
}

}  // namespace toccata
