// Motions at constant rates: linear, screw, twist and no motion at all are one formula.
#pragma once

#include "toccata/math/scale.hpp"
#include "toccata/motion/interval_pose.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// The pivot moves straight (plus along a circular arc, for screws) while the body turns about
/// `axis` at `rate` radians per unit of time.
class Twist {
 public:
  /// `pivot` (a body point) moves from `start * pivot` with `velocity`; the body turns with `spin`.
  Twist(const Pose& start, const Vec3d& pivot, const Vec3d& velocity, const Vec3d& spin);

  /// `turn` is by one radian and does not shift: the turn by `change` about the same axis, from
  /// `angle` on.
  Twist(const Twist& turn, double angle, double change);

  /// The pivot moves straight, the body turns at most half a turn at constant rate.
  static Twist linear(const Pose& start, const Pose& end, const Vec3d& pivot);

  /// One screw axis, constant rates, at most half a turn.
  static Twist screw(const Pose& start, const Pose& end);

  Pose pose(double t) const;
  MotionState state(double t) const;
  /// Contains the poses at all times of a window; not for screws.
  IntervalPose enclosure(Interval time) const;

  /// Bounds the rounding error of `pose(t) * x`, t in [0, 1], for body points within `reach` of the
  /// body's origin, the rounding of t itself included.
  double error(double reach) const;

  bool is_fixed() const { return fixed_; }

  /// The same motion as seen from a frame that stays; `place` is the pose of its own one in that.
  Twist seen_from(const Pose& place) const;
  /// The same motion with all lengths multiplied by a power of two.
  Twist scaled(int exponent) const;
  /// The largest of its lengths: coordinates, and the path per unit of time.
  double extent() const;

  /// Where the pivot starts.
  const Vec3d& start() const { return start_; }
  /// Angular velocity, and the constant part of the pivot's velocity.
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

  Vec3d pivot_;             // body
  Vec3d start_, velocity_;  // path of the pivot
  Vec3d arc_sine_,
      arc_cosine_;  // the pivot's offset on its arc: sine * arc_sine_ + (1 - cosine) * arc_cosine_
  Vec3d spin_;
  double rate_;
  double acceleration_ = 0;  // of the pivot on its arc
  // R(t) = along_ + cosine * across_ + sine * quarter_ (Rodrigues' formula times the start
  // rotation).
  Mat3d along_, across_, quarter_;
  bool fixed_;
};

}  // namespace toccata
