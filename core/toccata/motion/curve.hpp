// Joint motions along polynomials of time: the pieces of cubic and quintic splines in joint space.
#pragma once

#include "toccata/motion/polynomial.hpp"
#include "toccata/motion/twist.hpp"

namespace toccata {

/// How a joint moves its frame at one time, in the axes of the frame it hangs on.
struct JointRates {
  Vec3d spin{0, 0, 0}, spin_rate{0, 0, 0};  ///< angular velocity and its derivative; one axis
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};  ///< of the frame's origin
  // Bounds of the norms over a window; the last ones are those of the next derivatives.
  double most_spin = 0, most_spin_rate = 0, spin_jerk = 0;
  double most_velocity = 0, most_acceleration = 0, jerk = 0;
  // Bounds for all times, which scale the rounding errors of the vectors above.
  double spin_sum = 0, spin_rate_sum = 0, velocity_sum = 0, acceleration_sum = 0;
};

/// The frame turns about an axis through its origin by one polynomial of time, and its origin
/// shifts by another.
class Curve {
 public:
  /// `turn` has the pose at t = 0 and, if the joint turns at all, spins at unit rate about the axis
  /// without shifting. Both polynomials are 0 at t = 0.
  Curve(const Twist& turn, const Polynomial<double>& angle, const Polynomial<Vec3d>& shift);

  Pose pose(double t) const;
  /// At `t`, with bounds for all times in [0, 1] within `half` of it, half of a window.
  JointRates rates(double t, double half) const;

  /// Bounds of the angular velocity and of the origin's over [0, 1].
  double spin_speed() const { return spin_speed_; }
  double speed() const { return speed_; }
  /// The same by the sums of all terms: they also scale rounding errors.
  double spin_sum() const { return spin_sum_; }
  double velocity_sum() const { return velocity_sum_; }
  bool is_fixed() const { return spin_sum_ == 0 && velocity_sum_ == 0; }

  /// The same motion as seen from a frame that stays; `place` is the pose of its own one in that.
  Curve seen_from(const Pose& place) const;
  /// The same motion with all lengths multiplied by a power of two.
  Curve scaled(int exponent) const;
  /// The largest of its lengths.
  double extent() const;

 private:
  Twist turn_;
  Polynomial<double> angle_;
  Polynomial<Vec3d> shift_;
  double spin_sum_, velocity_sum_;
  double spin_speed_ = 0, speed_ = 0;
};

}  // namespace toccata
