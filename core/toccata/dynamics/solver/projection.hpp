// Gauss' principle of least constraint: among all motions that satisfy the constraints, bodies take
// the one nearest to their free motion in the mass metric (Redon, Kheddar, Coquillart 2002). This
// is a strictly convex quadratic program: its solution is unique, also with redundant constraints.
#pragma once

#include "toccata/dynamics/solver/least_distance.hpp"

namespace toccata {

/// The problem: the x nearest to `target` with rows x >= bounds. The squared distance is d^T metric
/// d.
struct Projection {
  std::span<const double> metric;  ///< n x n, symmetric and positive definite
  std::span<const double> target;  ///< n
  std::span<const double> rows;    ///< count x n
  std::span<const double> bounds;  ///< count
};

/// Solves projections. Reuses its buffers across calls.
class Projector {
 public:
  /// Solves a problem. Throws `invalid_argument` if the metric is not positive definite, or a
  /// number is not finite.
  ProjectionStatus solve(const Projection& problem);

  std::span<const double> x() const { return x_; }
  /// Returns the active rows, at most n. metric (x - target) is the sum of active rows times
  /// `multipliers`, which are at least 0.
  std::span<const Index> active() const { return nearest_.active(); }
  std::span<const double> multipliers() const { return multipliers_; }
  Count steps() const { return nearest_.steps(); }

 private:
  void factor(const Projection& problem);
  void whiten_rows(const Projection& problem);
  double length_of_row(std::size_t i) const;
  void unwhiten(const Projection& problem);

  LeastDistance nearest_;
  HalfSpaces spaces_;
  std::vector<double> lower_;    // Cholesky factor of the metric, by rows
  std::vector<double> lengths_;  // of whitened rows
  std::vector<double> x_, multipliers_;
};

}  // namespace toccata
