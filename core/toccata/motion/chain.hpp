// Motions of the links of an articulated body: products of joint motions at constant rates (Redon
// et al. 2004, section 3.3) or along polynomials, with bounds like Taylor models (Tang et al. 2013,
// section 5.2).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/motion/curve.hpp"

namespace toccata {

/// State of a frame of a chain at one time, in the base frame of the chain, with bounds that hold
/// at all times within half a window. Derivatives belong to the frame's origin.
struct ChainState {
  Pose pose;
  Vec3d velocity{0, 0, 0}, acceleration{0, 0, 0};
  Vec3d spin{0, 0, 0}, spin_rate{0, 0, 0};  ///< angular velocity and its derivative
  // Bounds of norms over the window: of the spin and its first two derivatives, then of the second
  // and third derivative of the origin's position.
  double most_spin = 0, most_spin_rate = 0, spin_jerk = 0, most_acceleration = 0, jerk = 0;
  // The same bounds without any use of directions. They scale the rounding errors of the vectors
  // above.
  double spin_sum = 0, spin_rate_sum = 0, acceleration_sum = 0;
};

/// Returns the state of the frame that `joint` moves relative to `parent`. Both states belong to
/// the same time, and their bounds hold at all times within `half` of it, half of a window. `local`
/// is the joint's pose at that time.
ChainState follow(const ChainState& parent, const Twist& joint, const Pose& local, double half);
ChainState follow(const ChainState& parent, const JointRates& joint, const Pose& local,
                  double half);

/// Returns the state of a frame from its state `child` in a moving frame `parent`. All joints of
/// the child together move its points with at most `most_velocity`.
ChainState follow(const ChainState& parent, const ChainState& child, double most_velocity,
                  double half);

/// Returns the state as a motion state, with the velocity of the point `pivot` of the frame.
MotionState motion_state(const ChainState& state, const Vec3d& pivot, double half);

/// A bound on the speed of points that move with one chain, or with several chains of the same
/// base.
struct SpeedBound {
  double far = 0;        ///< largest distance from the base, along the stretched chain
  double turn = 0;       ///< radians of all joints of a chain; the largest
  double deduction = 0;  ///< see `ChainSums`; the smallest

  void include(const SpeedBound& other) {
    far = std::max(far, other.far);
    turn = std::max(turn, other.turn);
    deduction = std::min(deduction, other.deduction);
  }
  /// Returns the bound relative to a frame that carries all points and has the bound `carrier`.
  double from(const SpeedBound& carrier) const {
    // A joint moves points with its own speed, plus its rate times their distance from its origin.
    // This distance is at most the sum of the reach and of the lengths of the later joints, which
    // is `far` minus the length up to the joint. The slack covers sums of far fewer than 2^12
    // terms, each at most far (1 + turn).
    return far * (turn - carrier.turn) - (deduction - carrier.deduction) +
           0x1p-40 * far * (1 + turn);
  }
};

/// Sums over the joints of a chain. They bound the motion of points within a `reach` of the last
/// frame's origin by lengths and rates alone.
class ChainSums {
 public:
  ChainSums() = default;
  /// Adds a joint to a chain.
  ChainSums(const ChainSums& chain, const Twist& joint);
  ChainSums(const ChainSums& chain, const Curve& joint);

  /// Returns the sums of this chain followed by another one on its last frame.
  ChainSums joined(const ChainSums& next) const {
    ChainSums sums;
    sums.length_ = length_ + next.length_;
    sums.effort_ = effort_ + next.effort_;
    sums.turn_ = turn_ + next.turn_;
    sums.deduction_ = deduction_ + next.deduction_ + next.turn_ * length_;
    return sums;
  }
  /// Returns the sums of this chain with `joints` more joints that do not move, with offsets of a
  /// total length of `length`.
  ChainSums carried(double length, Index joints) const {
    ChainSums sums = *this;
    sums.length_ += length;
    sums.effort_ += 2.0 * joints;
    return sums;
  }

  /// Returns the radians by which all joints turn together, at their highest rates throughout.
  double turn() const { return turn_; }
  /// Bounds the rounding error of the points' positions.
  double error(double reach) const;
  /// Bounds the points' speed in the frame that the joints of `carrier` move: the first joints of
  /// the same chain.
  double speed(double reach, const ChainSums& carrier) const {
    return speed_bound(reach).from(carrier.speed_bound(0));
  }
  SpeedBound speed_bound(double reach) const { return {length_ + reach, turn_, deduction_}; }

 private:
  double length_ = 0;  // length of the stretched chain
  double effort_ = 1;  // bounds the number of roundings, weighted by rates
  double turn_ = 0;
  double deduction_ = 0;  // rates of joints, times the length up to the joint, minus speeds
};

/// Motion of a frame at the end of a chain of joints.
class Chain {
 public:
  /// Refers to the joints `path`, base first, of a table that outlives the chain. Each joint has
  /// its pivot at its frame's origin. `pivot` is the body point to which velocities belong; the
  /// middle of the body gives the tightest bounds.
  Chain(const Twist* joints, std::span<const Index> path, const Vec3d& pivot);
  Chain(const Curve* joints, std::span<const Index> path, const Vec3d& pivot);

  /// Makes a chain that owns its joints, which are twists or curves.
  template <class Joint>
  static std::shared_ptr<const Chain> make(std::vector<Joint> joints, const Vec3d& pivot);

  Pose pose(double t) const;
  MotionState state(double t, double end) const;
  double error(double reach) const { return sums_.error(reach); }
  bool is_fixed() const { return fixed_; }

  /// Returns the motion with all lengths multiplied by a power of two.
  std::shared_ptr<const Chain> scaled(int exponent) const;
  /// Returns the largest length of the motion.
  double extent() const;

 private:
  template <class Joint>
  void add_up(const Joint* joints);

  // One of these is not null.
  const Twist* joints_ = nullptr;
  const Curve* curves_ = nullptr;
  std::span<const Index> path_;
  Vec3d pivot_;
  ChainSums sums_;
  bool fixed_ = true;
};

}  // namespace toccata
