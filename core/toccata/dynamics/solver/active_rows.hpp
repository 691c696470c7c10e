// Rows that hold with equality, factored: an orthonormal basis whose first vectors span them. Rows
// enter and leave by Givens rotations.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// At most n independent rows of n numbers. With the rows as columns of A, A = Q1 R: Q1 has the
/// first `count` vectors of the basis, R is upper triangular.
class ActiveRows {
 public:
  /// No rows; the memory of earlier ones is kept.
  void reset(std::size_t n);
  std::size_t count() const { return rows_.size(); }
  /// The names of the rows, in the order in which they came.
  std::span<const Index> rows() const { return rows_; }

  /// Coordinates of a vector in the basis: Q^T v.
  void to_basis(std::span<const double> v, std::span<double> coordinates) const;
  /// Adds to v the vectors of the basis from `first` on, times these coordinates and `factor`.
  void add_from_basis(std::size_t first, std::span<const double> coordinates, double factor,
                      std::span<double> v) const;
  /// x with R x = b, in place of b.
  void solve(std::span<double> b) const;
  /// x with R^T x = b, in place of b.
  void solve_transposed(std::span<double> b) const;

  /// A row, by its coordinates in the basis, which are used up. It is independent of the others.
  void add(Index row, std::span<double> coordinates);
  /// The row at a position leaves; later ones move up.
  void drop(std::size_t position);

 private:
  std::span<double> basis(std::size_t j) { return {basis_.data() + j * n_, n_}; }
  double& r(std::size_t i, std::size_t j) { return r_[j * n_ + i]; }
  double r(std::size_t i, std::size_t j) const { return r_[j * n_ + i]; }
  struct Rotation {
    double c, s;
  };
  /// Turns vectors j and j + 1 of the basis.
  void turn(std::size_t j, const Rotation& rotation);

  std::size_t n_ = 0;
  std::vector<double> basis_, r_;  // both by columns
  std::vector<Index> rows_;
};

}  // namespace toccata
