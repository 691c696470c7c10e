// Rigid motions as queries accept them: twists, splines and chains of joints.
#pragma once

#include <memory>

#include "toccata/geometry/box.hpp"
#include "toccata/motion/chain.hpp"
#include "toccata/motion/spline.hpp"
#include "toccata/motion/twist.hpp"

namespace toccata {

struct MotionPart;

/// A rigid motion over t in [0, 1], as a pure function of time. Cheap to copy.
class Motion {
 public:
  Motion(const Twist& twist) : twist_(twist) {}  // NOLINT: implicit conversion
  explicit Motion(std::shared_ptr<const Spline> spline)
      : twist_({}, {}, {}, {}), spline_(std::move(spline)) {}
  explicit Motion(std::shared_ptr<const Chain> chain)
      : twist_({}, {}, {}, {}), chain_(std::move(chain)) {}

  static Motion fixed(const Pose& pose) { return Twist{pose, {}, {}, {}}; }

  /// Returns the motion during `window`, a range within [0, 1], scaled to [0, 1].
  Motion part(Interval window) const;

  Pose pose(double t) const {
    if (part_) [[unlikely]]
      return pose_of_part(t);
    return spline_ ? spline_->pose(t) : chain_ ? chain_->pose(t) : twist_.pose(t);
  }

  /// Returns the state at `t`, with bounds on the accelerations that hold until `end`.
  MotionState state(double t, double end) const {
    if (part_) [[unlikely]]
      return state_of_part(t, end);
    return spline_ ? spline_->state(t, end) : chain_ ? chain_->state(t, end) : twist_.state(t);
  }

  /// Bounds the rounding error of the positions of points within `reach` of the body's origin.
  double error(double reach) const {
    if (part_) [[unlikely]]
      return error_of_part(reach);
    return spline_ ? spline_->error(reach) : chain_ ? chain_->error(reach) : twist_.error(reach);
  }

  /// Returns the motion with all lengths multiplied by a power of two.
  Motion scaled(int exponent) const;
  /// Returns the largest length of the motion.
  double extent() const;
  /// Returns whether velocities jump: see `Spline::state`.
  bool has_kinks() const;

  /// Returns whether the motion is a `Twist`, which has constant rates.
  bool is_twist() const { return !part_ && !spline_ && !chain_; }
  bool is_fixed() const {
    return !part_ && !spline_ && (chain_ ? chain_->is_fixed() : twist_.is_fixed());
  }

 private:
  Pose pose_of_part(double t) const;
  MotionState state_of_part(double t, double end) const;
  double error_of_part(double reach) const;

  Twist twist_;
  std::shared_ptr<const Spline> spline_;
  std::shared_ptr<const Chain> chain_;
  std::shared_ptr<const MotionPart> part_;  // if not null, a portion of another motion
};

/// Returns a box around the path of a ball over a window. The ball has the given radius around body
/// point `center`.
Box swept_box(const Motion& motion, const Vec3d& center, double radius, Interval window);

/// Bounds the distance of all points of such a ball from their positions at the start. The
/// velocities of the motion must not jump.
double farthest_move(const Motion& motion, const Vec3d& center, double radius);

}  // namespace toccata
