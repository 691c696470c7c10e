// Gauss' principle of least constraint: of all motions that constraints allow, bodies take the one
// that is nearest to their free motion, in the metric of their masses (Redon, Kheddar, Coquillart
// 2002). A strictly convex quadratic program: the motion is unique, however many constraints say
// the same.
#pragma once

#include "toccata/dynamics/solver/least_distance.hpp"

namespace toccata {

/// The nearest x to `target` with rows x >= bounds; squares of distances are d^T metric d.
struct Projection {
  std::span<const double> metric;  ///< n x n, symmetric and positive definite
  std::span<const double> target;  ///< n
  std::span<const double> rows;    ///< count x n
  std::span<const double> bounds;  ///< count
};

/// Solves one projection after the other in the same memory.
class Projector {
 public:
  /// Throws `invalid_argument` if the metric is not positive definite, or a number not finite.
  ProjectionStatus solve(const Projection& problem);

  std::span<const double> x() const { return x_; }
  /// Rows that hold with equality, at most n, and their multipliers, none below 0:
  /// metric (x - target) is the sum of rows times multipliers.
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
