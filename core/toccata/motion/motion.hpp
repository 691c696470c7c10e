// The motions that queries accept.
#pragma once

#include <memory>

#include "toccata/geometry/box.hpp"
#include "toccata/motion/chain.hpp"
#include "toccata/motion/spline.hpp"
#include "toccata/motion/twist.hpp"

namespace toccata {

struct MotionPart;

/// A rigid motion over t in [0, 1], a pure function of time. Cheap to copy.
class Motion {
 public:
  Motion(const Twist& twist) : twist_(twist) {}  // NOLINT: a twist is a motion
  explicit Motion(std::shared_ptr<const Spline> spline)
      : twist_({}, {}, {}, {}), spline_(std::move(spline)) {}
  explicit Motion(std::shared_ptr<const Chain> chain)
      : twist_({}, {}, {}, {}), chain_(std::move(chain)) {}

  static Motion fixed(const Pose& pose) { return Twist{pose, {}, {}, {}}; }

  /// What happens during `window`, a part of [0, 1], as a motion over [0, 1].
  Motion part(Interval window) const;

  Pose pose(double t) const {
    if (part_) [[unlikely]]
      return pose_of_part(t);
    return spline_ ? spline_->pose(t) : chain_ ? chain_->pose(t) : twist_.pose(t);
  }

  /// State at `t`, with bounds on the accelerations that hold until `end`.
  MotionState state(double t, double end) const {
    if (part_) [[unlikely]]
      return state_of_part(t, end);
    return spline_ ? spline_->state(t, end) : chain_ ? chain_->state(t, end) : twist_.state(t);
  }

  /// Bounds the rounding error of the position of points within `reach` of the body's origin.
  double error(double reach) const {
    if (part_) [[unlikely]]
      return error_of_part(reach);
    return spline_ ? spline_->error(reach) : chain_ ? chain_->error(reach) : twist_.error(reach);
  }

  /// The same motion with all lengths multiplied by a power of two.
  Motion scaled(int exponent) const;
  /// The largest of its lengths.
  double extent() const;
  /// Whether velocities jump: see `Spline::state`.
  bool has_kinks() const;

  /// Whether it is a `Twist`, whose rates are constant.
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
  std::shared_ptr<const MotionPart> part_;  // null: the whole of the above
};

/// Box of the path of a ball over a window: radius `radius` around body point `center`.
Box swept_box(const Motion& motion, const Vec3d& center, double radius, Interval window);

/// No point of such a ball gets farther than this from where it is at the start of a motion whose
/// velocities do not jump.
double farthest_move(const Motion& motion, const Vec3d& center, double radius);

}  // namespace toccata
