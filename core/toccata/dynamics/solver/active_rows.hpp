// QR factorization of the active rows of an active-set method: an orthonormal basis whose first
// vectors span the rows. Givens rotations update it when rows enter and leave.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"

namespace toccata {

/// Up to n independent rows of n numbers. With the rows as columns of A, A = Q1 R: Q1 has the first
/// `count` vectors of the basis, and R is upper triangular.
class ActiveRows {
 public:
  /// Removes all rows. Keeps the memory.
  void reset(std::size_t n);
  std::size_t count() const { return rows_.size(); }
  /// Returns the identifiers of the rows, in the order in which they entered.
  std::span<const Index> rows() const { return rows_; }

  /// Computes the coordinates of a vector in the basis: Q^T v.
  void to_basis(std::span<const double> v, std::span<double> coordinates) const;
  /// Adds `factor` times a combination of the basis vectors from `first` on to v.
  void add_from_basis(std::size_t first, std::span<const double> coordinates, double factor,
                      std::span<double> v) const;
  /// Solves R x = b in place.
  void solve(std::span<double> b) const;
  /// Solves R^T x = b in place.
  void solve_transposed(std::span<double> b) const;

  /// Adds an independent row, by its coordinates in the basis, which are clobbered.
  void add(Index row, std::span<double> coordinates);
  /// Removes the row at a position; later rows move up.
  void drop(std::size_t position);

 private:
  std::span<double> basis(std::size_t j) { return {basis_.data() + j * n_, n_}; }
  double& r(std::size_t i, std::size_t j) { return r_[j * n_ + i]; }
  double r(std::size_t i, std::size_t j) const { return r_[j * n_ + i]; }
  struct Rotation {
    double c, s;
  };
  /// Rotates basis vectors j and j + 1.
  void turn(std::size_t j, const Rotation& rotation);

  std::size_t n_ = 0;
  std::vector<double> basis_, r_;  // both by columns
  std::vector<Index> rows_;
};

}  // namespace toccata
