// The nearest point to the origin in an intersection of half-spaces, by the dual active-set method
// of Goldfarb and Idnani (1983).
#pragma once

#include "toccata/dynamics/solver/active_rows.hpp"

namespace toccata {

enum class ProjectionStatus : std::uint8_t { solved, infeasible, stalled };

/// Half-spaces rows . y >= bounds, with rows of length 1 (or 0, for one without a direction).
struct HalfSpaces {
  std::size_t count = 0, n = 0;
  std::vector<double> rows;    ///< column by column: number j of row i is at j * count + i
  std::vector<double> bounds;  ///< of each
  std::vector<double> scales;  ///< of each: what its bound was rounded at is 2^-52 of it
};

/// Starts at the origin, and lets the row that is violated most enter, until there is none. Every
/// step goes to the nearest point of the rows that are active, whose multipliers are kept above 0:
/// a row leaves when its own gets there. The objective rises from step to step, so that no set of
/// rows comes twice. Only the search for a violated row touches all of them: redundant rows cost no
/// more.
class LeastDistance {
 public:
  /// Allocates only for problems larger than all before. `stalled` if rounding keeps it from an
  /// end; what was found by then is returned.
  ProjectionStatus solve(const HalfSpaces& spaces);

  std::span<const double> point() const { return point_; }
  /// Rows that hold with equality, at most n, and their multipliers: the point is the sum of rows
  /// times multipliers.
  std::span<const Index> active() const { return active_.rows(); }
  std::span<const double> multipliers() const { return {multipliers_.data(), active_.count()}; }
  /// How often a row entered or left.
  Count steps() const { return steps_; }

 private:
  /// The row that is violated most, the least one of equals; -1 if all hold up to rounding.
  Index most_violated(const HalfSpaces& spaces);
  /// Makes a row active; false if active ones exclude it.
  bool enter(const HalfSpaces& spaces, Index row);
  double violation(const HalfSpaces& spaces, Index row) const;
  bool is_beyond_rounding(const HalfSpaces& spaces, Index row) const;
  void set_directions();
  struct Blocking {
    double step;
    std::size_t position;
  };
  /// How far one can go until the multiplier of an active row vanishes.
  Blocking find_blocking() const;
  void go(double step);
  void drop(std::size_t position);
  void settle(const HalfSpaces& spaces);
  void restore(const HalfSpaces& spaces);
  void read_row(const HalfSpaces& spaces, Index row);

  ActiveRows active_;
  std::vector<Index> before_;  // active before the entering row
  std::vector<Index> passed_;  // excluded by active rows, but by no more than rounding
  std::vector<double> point_, multipliers_;
  std::vector<double> residuals_;            // of all rows
  std::vector<double> row_, across_, dual_;  // the entering row; in the basis; by active rows
  double free_ = 0;                          // squared length of what is free of active rows
  Count steps_ = 0;
};

}  // namespace toccata
