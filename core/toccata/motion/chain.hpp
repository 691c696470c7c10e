// Motions of the links of an articulated model: products of joint motions at constant rates (Redon
// et al. 2004, section 3.3) or along polynomials, with bounds in the manner of Taylor models (Tang
// et al. 2013, section 5.2).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/motion/curve.hpp"

namespace toccata {

/// A frame of a chain at one time, seen from the root of the chain, and bounds that hold at all
/// times within a given distance of it. Derivatives are those of the frame's origin.
struct ChainState {
  Pose pose;
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};
  Vec3d spin{0, 0, 0}, spin_rate{0, 0, 0};  ///< angular velocity and its derivative
  // Bounds of the norms over the window: spin and its first two derivatives, then the second and
  // the third derivative of the origin's position.
  double most_spin = 0, most_spin_rate = 0, spin_jerk = 0, most_acceleration = 0, jerk = 0;
  // The same without any use of directions. They scale the rounding errors of the vectors above.
  double spin_sum = 0, spin_rate_sum = 0, acceleration_sum = 0;
};

/// The frame that `joint` moves relative to `parent`, at the same time and with the same window:
/// all times within `half` of it, half of a window. `local` is the joint's pose at that time.
ChainState follow(const ChainState& parent, const Twist& joint, const Pose& local, double half);
ChainState follow(const ChainState& parent, const JointRates& joint, const Pose& local,
                  double half);

/// A frame seen from another one that moves: `child` as `parent` sees it. All joints of the child
/// together move its points with at most `most_velocity`.
ChainState follow(const ChainState& parent, const ChainState& child, double most_velocity,
                  double half);

/// The frame as a body that is described about `pivot`.
MotionState motion_state(const ChainState& state, const Vec3d& pivot, double half);

/// Bounds how fast points move that hang on one chain or on several of the same root.
struct SpeedBound {
  double far = 0;     ///< how far from the root they are, along the stretched chain
  double turn = 0;    ///< radians of all joints of a chain
  double moment = 0;  ///< see `ChainSums`; the least one

  void include(const SpeedBound& other) {
    far = std::max(far, other.far);
    turn = std::max(turn, other.turn);
    moment = std::min(moment, other.moment);
  }
  /// As seen from a frame that carries all of them, with its own bound.
  double from(const SpeedBound& root) const {
    // A joint moves points with its own speed and with its rate times their distance from its
    // origin, which is not more than the lengths of the joints after it and the reach: that is
    // `far` minus the length up to the joint. Sums of far fewer than 2^12 terms, none of them
    // above far (1 + turn).
    return far * (turn - root.turn) - (moment - root.moment) + 0x1p-40 * far * (1 + turn);
  }
};

/// What the joints of a chain add up to. It bounds what points within a `reach` of the last frame's
/// origin do, by lengths and rates alone.
class ChainSums {
 public:
  ChainSums() = default;
  /// Of a chain and one more joint.
  ChainSums(const ChainSums& chain, const Twist& joint);
  ChainSums(const ChainSums& chain, const Curve& joint);

  /// Of the chain and another one that hangs on its last frame.
  ChainSums joined(const ChainSums& next) const {
    ChainSums sums;
    sums.length_ = length_ + next.length_;
    sums.effort_ = effort_ + next.effort_;
    sums.turn_ = turn_ + next.turn_;
    sums.moment_ = moment_ + next.moment_ + next.turn_ * length_;
    return sums;
  }
  /// Of the chain and so many more joints that do not move, whose places add up to `length`.
  ChainSums carried(double length, Index joints) const {
    ChainSums sums = *this;
    sums.length_ += length;
    sums.effort_ += 2.0 * joints;
    return sums;
  }

  /// Radians that all joints turn together, or would if they kept their highest rates.
  double turn() const { return turn_; }
  /// Exceeds the rounding error of the points' positions.
  double error(double reach) const;
  /// Bounds the points' speed in the frame that the joints of `root` carry: the first ones of the
  /// same chain.
  double speed(double reach, const ChainSums& root) const {
    return speed_bound(reach).from(root.speed_bound(0));
  }
  SpeedBound speed_bound(double reach) const { return {length_ + reach, turn_, moment_}; }

 private:
  double length_ = 0;  // of the stretched chain
  double effort_ = 1;  // counts roundings
  double turn_ = 0;
  double moment_ = 0;  // rates of joints, times the length up to the joint, minus speeds
};

/// The motion of a frame that hangs on a chain of joints.
class Chain {
 public:
  /// Looks at joints `path`, from the root on, of a table that outlives the chain. A joint has its
  /// pivot at its frame's origin. `pivot` is the body point to which velocities belong: the middle
  /// of the body gives the tightest bounds.
  Chain(const Twist* joints, std::span<const Index> path, const Vec3d& pivot);
  Chain(const Curve* joints, std::span<const Index> path, const Vec3d& pivot);

  /// A chain that keeps its own joints, which are twists or curves.
  template <class Joint>
  static std::shared_ptr<const Chain> make(std::vector<Joint> joints, const Vec3d& pivot);

  Pose pose(double t) const;
  MotionState state(double t, double end) const;
  double error(double reach) const { return sums_.error(reach); }
  bool is_fixed() const { return fixed_; }

  /// The same motion with all lengths multiplied by a power of two.
  std::shared_ptr<const Chain> scaled(int exponent) const;
  /// The largest of its lengths.
  double extent() const;

 private:
  template <class Joint>
  void add_up(const Joint* joints);

  // One of the two.
  const Twist* joints_ = nullptr;
  const Curve* curves_ = nullptr;
  std::span<const Index> path_;
  Vec3d pivot_;
  ChainSums sums_;
  bool fixed_ = true;
};

}  // namespace toccata
