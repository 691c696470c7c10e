// Motions at constant rates. Linear motions, screws, twists and fixed poses share one formula.
#pragma once

#include "toccata/math/scale.hpp"
#include "toccata/motion/interval_pose.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// Motion of a pivot along a line, or along a helix for screws, while the body rotates about `axis`
/// at `rate` radians per unit of time.
class Twist {
 public:
  /// Moves `pivot`, a body point, from `start * pivot` with `velocity` while the body rotates with
  /// `spin`.
  Twist(const Pose& start, const Vec3d& pivot, const Vec3d& velocity, const Vec3d& spin);

  /// Rotates about the axis of `turn`, which spins by one radian without translation, from `angle`
  /// on by `change` per unit of time.
  Twist(const Twist& turn, double angle, double change);

  /// Moves the pivot along a line while the body rotates at a constant rate, by at most pi in all.
  static Twist linear(const Pose& start, const Pose& end, const Vec3d& pivot);

  /// Moves along one screw axis at constant rates, with a rotation of at most pi.
  static Twist screw(const Pose& start, const Pose& end);

  Pose pose(double t) const;
  MotionState state(double t) const;
  /// Encloses the poses at all times of a window. Not valid for screws.
  IntervalPose enclosure(Interval time) const;

  /// Bounds the rounding error of `pose(t) * x` for t in [0, 1] and body points within `reach` of
  /// the body's origin. Includes the rounding of t.
  double error(double reach) const;

  bool is_fixed() const { return fixed_; }

  /// Returns the same motion in the coordinates of an outer frame. `frame` is the pose of the
  /// current reference frame there.
  Twist seen_from(const Pose& frame) const;
  /// Returns the motion with all lengths multiplied by a power of two.
  Twist scaled(int exponent) const;
  /// Returns the largest length of the motion: of its coordinates and of its path per unit of time.
  double extent() const;

  /// Returns the position of the pivot at t = 0.
  const Vec3d& start() const { return start_; }
  /// Returns the angular velocity, and the constant component of the pivot's velocity.
  const Vec3d& spin() const { return spin_; }
  const Vec3d& velocity() const { return velocity_; }
  double spin_speed() const { return rate_; }

 private:
  struct Turn {
    double sine, cosine;
  };
  Turn turn(double t) const;
  Pose pose(double t, Turn turn) const;
  Twist(const Twist& turn, Turn start, double change);

  Vec3d pivot_;             // a body point
  Vec3d start_, velocity_;  // path of the pivot
  // The pivot's offset on its arc is sine * arc_sine_ + (1 - cosine) * arc_cosine_.
  Vec3d arc_sine_, arc_cosine_;
  Vec3d spin_;
  double rate_;
  double acceleration_ = 0;  // acceleration of the pivot on its arc
  // R(t) = along_ + cosine * across_ + sine * quarter_ (Rodrigues' formula times the start
  // rotation).
  Mat3d along_, across_, quarter_;
  bool fixed_;
};

}  // namespace toccata
