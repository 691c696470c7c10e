// Joint motions along polynomials of time, which are the pieces of cubic and quintic splines in
// joint space.
#pragma once

#include "toccata/motion/polynomial.hpp"
#include "toccata/motion/twist.hpp"

namespace toccata {

/// Rates of a joint at one time, in the axes of its parent frame.
struct JointRates {
  Vec3d spin{0, 0, 0}, spin_rate{0, 0, 0};  ///< angular velocity and its derivative; one axis
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};  ///< the same for the frame's origin
  // Bounds of norms over a window; `spin_jerk` and `jerk` bound the next derivatives.
  double most_spin = 0, most_spin_rate = 0, spin_jerk = 0;
  double most_velocity = 0, most_acceleration = 0, jerk = 0;
  // Bounds at all times, which scale the rounding errors of the vectors above.
  double spin_sum = 0, spin_rate_sum = 0, velocity_sum = 0, acceleration_sum = 0;
};

/// Joint motion: the frame turns about an axis through its origin by one polynomial of time, and
/// the origin is displaced by another.
class Curve {
 public:
  /// Makes a joint motion. `turn` has the pose at t = 0. If the joint turns at all, `turn` spins at
  /// unit rate about the axis without translation. Both polynomials are 0 at t = 0.
  Curve(const Twist& turn, const Polynomial<double>& angle, const Polynomial<Vec3d>& shift);

  Pose pose(double t) const;
  /// Returns the rates at `t`, with bounds for all times in [0, 1] within `half` of it, half of a
  /// window.
  JointRates rates(double t, double half) const;

  /// Returns bounds of the angular velocity, and of the origin's velocity, over [0, 1].
  double spin_speed() const { return spin_speed_; }
  double speed() const { return speed_; }
  /// Returns the same bounds from the sums of all terms, which also scale rounding errors.
  double spin_sum() const { return spin_sum_; }
  double velocity_sum() const { return velocity_sum_; }
  bool is_fixed() const { return spin_sum_ == 0 && velocity_sum_ == 0; }

  /// Returns the same motion in the coordinates of an outer frame. `frame` is the pose of the
  /// current reference frame there.
  Curve seen_from(const Pose& frame) const;
  /// Returns the motion with all lengths multiplied by a power of two.
  Curve scaled(int exponent) const;
  /// Returns the largest length of the motion.
  double extent() const;

 private:
  Twist turn_;
  Polynomial<double> angle_;
  Polynomial<Vec3d> shift_;
  double spin_sum_, velocity_sum_;
  double spin_speed_ = 0, speed_ = 0;
};

}  // namespace toccata
