// The active-set method: rows enter and leave until no constraint is violated.
#include "toccata/dynamics/solver/least_distance.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/math/scalar.hpp"

namespace toccata {
namespace {

// A row is violated if its residual exceeds this portion of the terms that cancel in it. A sum of n
// products is rounded by at most n 2^-53 of them, and usually by much less.
constexpr double feasible = 0x1p-42;

// A row of length 1 depends on active rows if its component perpendicular to them is at most this
// long.
constexpr double dependent = 0x1p-36;

// Coefficients of active rows below this portion of the largest are rounding errors.
constexpr double negligible = 0x1p-40;

double length(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

ProjectionStatus LeastDistance::solve(const HalfSpaces& spaces) {
  const std::size_t n = spaces.n;
  active_.reset(n);
  passed_.clear();
  passed_.reserve(spaces.count);
  before_.reserve(n);
  point_.assign(n, 0.0);
  residuals_.resize(spaces.count);
  for (std::vector<double>* v : {&multipliers_, &row_, &across_, &dual_}) v->resize(n);
  steps_ = 0;
  const auto most = static_cast<Count>(1000 + 20 * n + 2 * spaces.count);
  while (steps_ < most) {
    const Index row = most_violated(spaces);
    if (row < 0) return ProjectionStatus::solved;
    if (enter(spaces, row)) continue;
    if (is_beyond_rounding(spaces, row)) return ProjectionStatus::infeasible;
    restore(spaces);
    passed_.push_back(row);
    ++steps_;
  }
  return ProjectionStatus::stalled;
}

Index LeastDistance::most_violated(const HalfSpaces& spaces) {
  const std::size_t m = spaces.count;
  std::copy_n(spaces.bounds.begin(), m, residuals_.begin());
  // Column by column, so that all rows are updated at once.
  for (std::size_t j = 0; j < spaces.n; ++j) {
    const double* column = spaces.rows.data() + j * m;
    const double y = point_[j];
    for (std::size_t i = 0; i < m; ++i) residuals_[i] -= column[i] * y;
  }
  for (const Index row : active_.rows()) residuals_[static_cast<std::size_t>(row)] = 0;
  for (const Index row : passed_) residuals_[static_cast<std::size_t>(row)] = 0;
  const double size = length(point_);
  Index worst = -1;
  double most = 0;
  for (std::size_t i = 0; i < m; ++i)
    if (residuals_[i] > most && residuals_[i] > feasible * (spaces.scales[i] + size)) {
      most = residuals_[i];
      worst = static_cast<Index>(i);
    }
  return worst;
}

bool LeastDistance::enter(const HalfSpaces& spaces, Index row) {
  before_.assign(active_.rows().begin(), active_.rows().end());
  read_row(spaces, row);
  for (;; ++steps_) {
    set_directions();
    const Blocking blocking = find_blocking();
    const bool is_dependent = free_ <= dependent * dependent;
    if (is_dependent && blocking.step == infinity) return false;
    const double full = is_dependent ? infinity : std::max(violation(spaces, row), 0.0) / free_;
    go(std::min(full, blocking.step));
    if (full <= blocking.step) break;
    drop(blocking.position);
  }
  ++steps_;
  active_.add(row, across_);
  passed_.clear();
  settle(spaces);
  return true;
}

void LeastDistance::read_row(const HalfSpaces& spaces, Index row) {
  for (std::size_t j = 0; j < spaces.n; ++j)
    row_[j] = spaces.rows[j * spaces.count + static_cast<std::size_t>(row)];
}

double LeastDistance::violation(const HalfSpaces& spaces, Index row) const {
  double left = spaces.bounds[static_cast<std::size_t>(row)];
  for (std::size_t j = 0; j < spaces.n; ++j) left -= row_[j] * point_[j];
  return left;
}

/// Returns whether active rows exclude the entering row by more than rounding errors. The entering
/// row is a combination of active rows without positive weights, so their bounds exclude its bound.
/// For nearly dependent rows, weights and rounding errors are large.
bool LeastDistance::is_beyond_rounding(const HalfSpaces& spaces, Index row) const {
  const double size = length(point_);
  double scale = spaces.scales[static_cast<std::size_t>(row)] + size;
  for (std::size_t k = 0; k < active_.count(); ++k)
    scale += std::abs(dual_[k]) *
             (spaces.scales[static_cast<std::size_t>(active_.rows()[k])] + size);
  return violation(spaces, row) > feasible * scale;
}

/// Computes the directions of a step: a unit of the entering row's multiplier moves the point by
/// the row's component perpendicular to the active rows, and takes `dual_` from their multipliers.
void LeastDistance::set_directions() {
  const std::size_t count = active_.count();
  active_.to_basis(row_, across_);
  free_ = 0;
  for (std::size_t j = count; j < across_.size(); ++j) free_ += across_[j] * across_[j];
  std::copy_n(across_.begin(), count, dual_.begin());
  active_.solve(std::span(dual_).first(count));
}

LeastDistance::Blocking LeastDistance::find_blocking() const {
  const std::size_t count = active_.count();
  double size = 1;
  for (std::size_t k = 0; k < count; ++k) size = std::max(size, std::abs(dual_[k]));
  Blocking least{infinity, 0};
  for (std::size_t k = 0; k < count; ++k) {
    if (!(dual_[k] > negligible * size)) continue;
    const double step = multipliers_[k] / dual_[k];
    const bool tie = step == least.step && active_.rows()[k] < active_.rows()[least.position];
    if (step < least.step || tie) least = {step, k};
  }
  return least;
}

void LeastDistance::go(double step) {
  const std::size_t count = active_.count();
  if (free_ > dependent * dependent)
    active_.add_from_basis(count, std::span(across_).subspan(count), step, point_);
  for (std::size_t k = 0; k < count; ++k)
    multipliers_[k] = std::max(multipliers_[k] - step * dual_[k], 0.0);
}

void LeastDistance::drop(std::size_t position) {
  const auto first = multipliers_.begin() + static_cast<std::ptrdiff_t>(position);
  std::copy(first + 1, multipliers_.begin() + static_cast<std::ptrdiff_t>(active_.count()), first);
  active_.drop(position);
}

/// Recomputes the point from the active rows alone, so that rounding errors do not accumulate.
void LeastDistance::settle(const HalfSpaces& spaces) {
  const std::size_t count = active_.count();
  const std::span<double> weights = std::span(dual_).first(count);
  for (std::size_t k = 0; k < count; ++k)
    weights[k] = spaces.bounds[static_cast<std::size_t>(active_.rows()[k])];
  active_.solve_transposed(weights);
  std::fill(point_.begin(), point_.end(), 0.0);
  active_.add_from_basis(0, weights, 1, point_);
  active_.solve(weights);
  for (std::size_t k = 0; k < count; ++k) multipliers_[k] = std::max(weights[k], 0.0);
}

/// Restores the rows that were active before a row failed to enter.
void LeastDistance::restore(const HalfSpaces& spaces) {
  active_.reset(spaces.n);
  for (const Index row : before_) {
    read_row(spaces, row);
    active_.to_basis(row_, across_);
    active_.add(row, across_);
  }
  settle(spaces);
}

}  // namespace toccata
