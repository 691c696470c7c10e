// Piecewise smooth motion through given poses.
#pragma once

#include <span>
#include <vector>

#include "toccata/math/scale.hpp"
#include "toccata/motion/state.hpp"

namespace toccata {

/// Interpolates poses at given times; position and orientation are once continuously
/// differentiable. Positions follow cubic Hermite pieces; orientations are products of three
/// rotations about fixed axes with cumulative cubic Bernstein weights (Kim, Kim, Shin 1995).
class Spline {
 public:
  /// `times` rise strictly from 0 to 1; there are as many poses, at least two.
  Spline(std::span<const double> times, std::span<const Pose> poses);

  Pose pose(double t) const;
  /// State at t with bounds that hold until `end`.
  MotionState state(double t, double end) const;
  double error(double reach) const;

  /// The same motion with all lengths multiplied by a power of two.
  Spline scaled(int exponent) const;
  /// The largest of its lengths.
  double extent() const;

 private:
  struct Piece {
    double start, length;
    Vec3d position[4];  // coefficients of 1, u, u^2, u^3
    Mat3d rotation;     // at u = 0
    Vec3d turn[3];      // R(u) = exp(b2 turn[2]) exp(b1 turn[1]) exp(b0 turn[0]) rotation
    double acceleration, turning;
  };
  static Piece make_piece(double start, double end, const Pose& a, const Pose& b,
                          const Vec3d (&velocity)[2], const Vec3d (&spin)[2]);
  const Piece& piece(double t) const;
  static double acceleration_of(const Piece& piece);
  void bound_positions();

  std::vector<Piece> pieces_;
  double extent_ = 0;  // bounds positions and path length, for the rounding error
};

}  // namespace toccata
