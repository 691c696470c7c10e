// Motions of the links of an articulated model: products of joint motions at constant rates (Redon
// et al. 2004, section 3.3), with bounds in the manner of Taylor models (Tang et al. 2013, section
// 5.2).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/motion/twist.hpp"

namespace toccata {

/// A frame of a chain at one time, seen from the root of the chain, and bounds that hold at all
/// times within a given distance of it. Derivatives are those of the frame's origin.
struct ChainState {
  Pose pose;
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};
  Vec3d spin{0, 0, 0}, turning{0, 0, 0};  ///< angular velocity and its derivative
  // Bounds of the norms over the window: spin and its first two derivatives, then the second and
  // the third derivative of the origin's place.
  double most_spin = 0, most_turning = 0, turning_change = 0, most_acceleration = 0, jerk = 0;
  // The same without any use of directions. They scale the rounding errors of the vectors above.
  double spin_sum = 0, turning_sum = 0, acceleration_sum = 0;
};

/// The frame that `joint` moves relative to `parent`, at the same time `t` and with the same
/// window: all times within `reach` of t.
ChainState follow(const ChainState& parent, const Twist& joint, double t, double reach);

/// The frame as a body that is described about `pivot`.
MotionState motion_state(const ChainState& state, const Vec3d& pivot, double reach);

/// The motion of the last of several frames, each moved by one joint relative to the frame before.
class Chain {
 public:
  /// `joints` from the root on; each has its pivot at its frame's origin. `pivot` is the body point
  /// to which velocities belong: the middle of the body gives the tightest bounds.
  Chain(std::vector<Twist> joints, const Vec3d& pivot);

  Pose pose(double t) const;
  MotionState state(double t, double end) const;

  /// Bounds the rounding error of `pose(t) * x` for body points within `reach` of the origin.
  double error(double reach) const { return chain_error(length_, effort_, reach); }
  bool is_fixed() const { return fixed_; }

  /// Rounding error of a chain whose joints add up to `length` and `effort`, as below.
  static double chain_error(double length, double effort, double reach);
  /// How far a joint can carry its frame away from its parent's origin.
  static double length(const Twist& joint);
  /// What a joint adds to the number of roundings.
  static double effort(const Twist& joint) { return 2 + joint.spin_speed(); }

 private:
  std::vector<Twist> joints_;
  Vec3d pivot_;
  double length_ = 0, effort_ = 0;
  bool fixed_ = true;
};

}  // namespace toccata
