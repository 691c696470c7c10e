// Piecewise motion through given poses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "toccata/math/scale.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// How a spline passes its poses: `smooth` without a jump of velocities, `linear` at constant rates
/// from each pose to the next.
enum class SplineKind : std::uint8_t { smooth, linear };

/// Interpolates poses at given times. From one pose to the next, each coordinate of the position is
/// a cubic polynomial of time, and the body turns about one axis, the shorter way, by another. All
/// of them are monotone: no coordinate leaves the range of its two ends, and the turns of a piece
/// add up to the angle between them.
class Spline {
 public:
  /// `times` rise strictly from 0 to 1; there are as many poses, at least two.
  Spline(std::span<const double> times, std::span<const Pose> poses,
         SplineKind kind = SplineKind::smooth);

  Pose pose(double t) const { return state(t, t).pose; }
  /// State at t with bounds that hold until `end`. Where velocities v jump, no acceleration exists.
  /// What queries need of its bound B holds all the same: |v(u) - v(t)| <= B (u - t) for all u up
  /// to `end`, so that sums and products of such functions, expanded at t, err by no more than if B
  /// bounded an acceleration. About the middle of the window they do not err more than that would
  /// allow at its ends: jumps that add up to D put at most D (end - t) / 2 <= B (end - t)^2 / 8
  /// between a path and its expansion.
  MotionState state(double t, double end) const;
  double error(double reach) const;
  /// Whether velocities jump.
  bool has_kinks() const { return has_kinks_; }

  /// The same motion with all lengths multiplied by a power of two.
  Spline scaled(int exponent) const;
  /// The largest of its lengths.
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
  /// What a piece is made of: how far it goes and turns, and the velocities at its ends.
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
