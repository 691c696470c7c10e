// Givens rotations that add and remove rows of the factorization.
#include "toccata/dynamics/solver/active_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace toccata {

void ActiveRows::reset(std::size_t n) {
  n_ = n;
  basis_.assign(n * n, 0.0);
  r_.resize(n * n);
  rows_.clear();
  rows_.reserve(n);
  for (std::size_t j = 0; j < n; ++j) basis_[j * n + j] = 1;
}

void ActiveRows::to_basis(std::span<const double> v, std::span<double> coordinates) const {
  for (std::size_t j = 0; j < n_; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) sum += basis_[j * n_ + i] * v[i];
    coordinates[j] = sum;
  }
}

void ActiveRows::add_from_basis(std::size_t first, std::span<const double> coordinates,
                                double factor, std::span<double> v) const {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const double weight = coordinates[k] * factor;
    for (std::size_t i = 0; i < n_; ++i) v[i] += basis_[(first + k) * n_ + i] * weight;
  }
}

void ActiveRows::solve(std::span<double> b) const {
  for (std::size_t j = count(); j-- > 0;) {
    b[j] /= r(j, j);
    for (std::size_t i = 0; i < j; ++i) b[i] -= r(i, j) * b[j];
  }
}

void ActiveRows::solve_transposed(std::span<double> b) const {
  for (std::size_t j = 0; j < count(); ++j) {
    for (std::size_t i = 0; i < j; ++i) b[j] -= r(i, j) * b[i];
    b[j] /= r(j, j);
  }
}

namespace {

/// Returns the rotation (c, s) that maps (a, b) to (hypot(a, b), 0).
template <class Rotation>
Rotation annihilating(double a, double b) {
  const double length = std::hypot(a, b);
  return length > 0 ? Rotation{a / length, b / length} : Rotation{1, 0};
}

template <class Rotation>
void apply(const Rotation& rotation, double& a, double& b) {
  const double x = a;
  a = rotation.c * x + rotation.s * b;
  b = rotation.c * b - rotation.s * x;
}

}  // namespace

void ActiveRows::turn(std::size_t j, const Rotation& rotation) {
  const std::span<double> u = basis(j), v = basis(j + 1);
  for (std::size_t i = 0; i < n_; ++i) apply(rotation, u[i], v[i]);
}

void ActiveRows::add(Index row, std::span<double> coordinates) {
  const std::size_t last = count();
  assert(last < n_);
  for (std::size_t j = n_ - 1; j-- > last;) {
    if (coordinates[j + 1] == 0) continue;
    const auto rotation = annihilating<Rotation>(coordinates[j], coordinates[j + 1]);
    apply(rotation, coordinates[j], coordinates[j + 1]);
    turn(j, rotation);
  }
  for (std::size_t i = 0; i <= last; ++i) r(i, last) = coordinates[i];
  rows_.push_back(row);
}

void ActiveRows::drop(std::size_t position) {
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(position));
  for (std::size_t j = position; j < count(); ++j)
    for (std::size_t i = 0; i <= j + 1; ++i) r(i, j) = r(i, j + 1);
  for (std::size_t j = position; j < count(); ++j) {
    const auto rotation = annihilating<Rotation>(r(j, j), r(j + 1, j));
    for (std::size_t k = j; k < count(); ++k) apply(rotation, r(j, k), r(j + 1, k));
    turn(j, rotation);
  }
}

}  // namespace toccata
