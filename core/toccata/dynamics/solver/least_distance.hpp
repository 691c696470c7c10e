// The nearest point to the origin in an intersection of half-spaces, by the dual active-set method
// of Goldfarb and Idnani (1983).
#pragma once

#include "toccata/dynamics/solver/active_rows.hpp"

namespace toccata {

enum class ProjectionStatus : std::uint8_t { solved, infeasible, stalled };

/// Half-spaces rows . y >= bounds, with rows of length 1 (or 0 for a row without a direction).
struct HalfSpaces {
  std::size_t count = 0, n = 0;
  std::vector<double> rows;    ///< column by column: number j of row i is at j * count + i
  std::vector<double> bounds;  ///< by row
  std::vector<double> scales;  ///< by row: size of the terms in its bound; rounded by 2^-52 of it
};

/// Starts at the origin, and adds the most violated row until all rows are satisfied. Each step
/// moves to the nearest point of the active rows and keeps their multipliers at or above 0: a row
/// whose multiplier reaches 0 leaves. The objective rises from step to step, so no set of active
/// rows occurs twice. Only the search for a violated row visits all rows, so redundant rows cost
/// little.
class LeastDistance {
 public:
  /// Solves the problem. Allocates only for problems that are larger than all before. Returns
  /// `stalled`, with the best point found, if rounding errors prevent convergence.
  ProjectionStatus solve(const HalfSpaces& spaces);

  std::span<const double> point() const { return point_; }
  /// Returns the active rows, at most n. The point is the sum of active rows times `multipliers`.
  std::span<const Index> active() const { return active_.rows(); }
  std::span<const double> multipliers() const { return {multipliers_.data(), active_.count()}; }
  /// Returns the number of times a row entered or left.
  Count steps() const { return steps_; }

 private:
  /// Returns the most violated row, the first of equals; -1 if all are satisfied up to rounding.
  Index most_violated(const HalfSpaces& spaces);
  /// Makes a row active. Returns false if active rows exclude it.
  bool enter(const HalfSpaces& spaces, Index row);
  double violation(const HalfSpaces& spaces, Index row) const;
  bool is_beyond_rounding(const HalfSpaces& spaces, Index row) const;
  void set_directions();
  struct Blocking {
    double step;
    std::size_t position;
  };
  /// Returns the step at which the multiplier of an active row vanishes.
  Blocking find_blocking() const;
  void go(double step);
  void drop(std::size_t position);
  void settle(const HalfSpaces& spaces);
  void restore(const HalfSpaces& spaces);
  void read_row(const HalfSpaces& spaces, Index row);

  ActiveRows active_;
  std::vector<Index> before_;  // active before the entering row
  std::vector<Index> passed_;  // excluded by active rows, within rounding
  std::vector<double> point_, multipliers_;
  std::vector<double> residuals_;  // by row
  std::vector<double> row_, across_,
      dual_;         // the entering row; its coordinates in the basis, and in active rows
  double free_ = 0;  // squared length of the entering row perpendicular to active rows
  Count steps_ = 0;
};

}  // namespace toccata
