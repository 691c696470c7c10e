// Splines: motions through given poses, without overshoot.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "toccata/math/scale.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// Interpolation of poses: `smooth` has continuous velocities, `linear` has constant rates between
/// poses.
enum class SplineKind : std::uint8_t { smooth, linear };

/// Motion that interpolates poses at given times. From one pose to the next, each coordinate of the
/// position is a cubic polynomial of time. The body rotates about one axis, in the direction of the
/// smaller angle, by another cubic polynomial. All of these polynomials are monotone: no coordinate
/// leaves the range between its two ends, and the rotations of a piece add up to the angle between
/// its ends.
class Spline {
 public:
  /// Interpolates poses. `times` increase strictly from 0 to 1. There are as many times as poses,
  /// at least two.
  Spline(std::span<const double> times, std::span<const Pose> poses,
         SplineKind kind = SplineKind::smooth);

  Pose pose(double t) const { return state(t, t).pose; }
  /// Returns the state at t, with bounds that hold until `end`.
  ///
  /// At a jump of the velocity v no acceleration exists, and its bound B means that |v(u) - v(t)|
  /// <= B (u - t) for all u up to `end`. Expansions at t then have the same error bounds as for an
  /// acceleration of at most B. So do expansions about the middle of the window: jumps with a sum
  /// of D separate a path from its expansion by at most D (end - t) / 2 <= B (end - t)^2 / 8, which
  /// an acceleration of B allows at the ends of the window.
  MotionState state(double t, double end) const;
  double error(double reach) const;
  /// Returns whether velocities jump.
  bool has_kinks() const { return has_kinks_; }

  /// Returns the motion with all lengths multiplied by a power of two.
  Spline scaled(int exponent) const;
  /// Returns the largest length of the motion.
  double extent() const;

 private:
  struct Piece {
    double start, length;
    Vec3d position[4];  // coefficients of 1, u, u^2, u^3
    Mat3d rotation;     // at u = 0
    Vec3d turn;         // R(u) = exp(share(u) turn) rotation
    double share[3];    // coefficients of u, u^2, u^3
    double acceleration, turning;
    double velocity_jump = 0, spin_jump = 0;  // at u = 0
  };
  /// Data from which a piece is made: its displacement and rotation, and the velocities at its
  /// ends.
  struct Span;
  static std::vector<Span> spans(std::span<const double> times, std::span<const Pose> poses);
  static void smooth(Span& before, Span& after);
  static Piece make_piece(const Span& span, const Pose& pose);
  const Piece& piece(double t) const;
  static double acceleration_of(const Piece& piece);
  void bound_positions();

  std::vector<Piece> pieces_;
  double extent_ = 0;  // bounds positions and path length, for the rounding error
  bool has_kinks_ = false;
  SplineKind kind_;
};

}  // namespace toccata
