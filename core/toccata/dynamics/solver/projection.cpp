// Gauss' projection as a least-distance problem in coordinates of the mass metric.
#include "toccata/dynamics/solver/projection.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

ProjectionStatus Projector::solve(const Projection& problem) {
  const std::size_t n = problem.target.size(), m = problem.bounds.size();
  expects(problem.metric.size() == n * n, "metric", "expected n x n numbers");
  expects(problem.rows.size() == m * n, "rows", "expected n numbers for each bound");
  expects(all_finite(problem.target), "target", "expected finite numbers");
  expects(all_finite(problem.rows), "rows", "expected finite numbers");
  expects(all_finite(problem.bounds), "bounds", "expected finite numbers");
  spaces_.count = m;
  spaces_.n = n;
  factor(problem);
  whiten_rows(problem);
  const ProjectionStatus status = nearest_.solve(spaces_);
  unwhiten(problem);
  return status;
}

/// Factors metric = L L^T. With y = L^T (x - target), the metric is the Euclidean one.
void Projector::factor(const Projection& problem) {
  const std::size_t n = spaces_.n;
  lower_.assign(problem.metric.begin(), problem.metric.end());
  for (std::size_t j = 0; j < n; ++j) {
    const double diagonal = lower_[j * n + j];
    for (std::size_t k = 0; k < j; ++k) lower_[j * n + j] -= lower_[j * n + k] * lower_[j * n + k];
    double& pivot = lower_[j * n + j];
    expects(pivot > 0x1p-50 * std::abs(diagonal), "metric", "expected a positive definite matrix");
    pivot = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = lower_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower_[i * n + k] * lower_[j * n + k];
      lower_[i * n + j] = sum / pivot;
    }
  }
}

/// Replaces a row a by L^-1 a, scaled to length 1, and its bound by the remaining bound at the
/// target. Works column by column, on all rows at once.
void Projector::whiten_rows(const Projection& problem) {
  const std::size_t n = spaces_.n, m = spaces_.count;
  for (std::vector<double>* v : {&spaces_.scales, &lengths_}) v->assign(m, 0.0);
  spaces_.bounds.assign(problem.bounds.begin(), problem.bounds.end());
  spaces_.rows.resize(n * m);
  for (std::size_t i = 0; i < m; ++i) spaces_.scales[i] = std::abs(problem.bounds[i]);
  for (std::size_t j = 0; j < n; ++j) {
    double* column = spaces_.rows.data() + j * m;
    for (std::size_t i = 0; i < m; ++i) {
      column[i] = problem.rows[i * n + j];
      const double part = column[i] * problem.target[j];
      spaces_.bounds[i] -= part;
      spaces_.scales[i] += std::abs(part);
    }
    for (std::size_t k = 0; k < j; ++k) {
      const double *earlier = spaces_.rows.data() + k * m, factor = lower_[j * n + k];
      if (factor == 0) continue;
      for (std::size_t i = 0; i < m; ++i) column[i] -= earlier[i] * factor;
    }
    for (std::size_t i = 0; i < m; ++i) column[i] /= lower_[j * n + j];
    for (std::size_t i = 0; i < m; ++i) lengths_[i] += column[i] * column[i];
  }
  for (std::size_t i = 0; i < m; ++i) {
    lengths_[i] = length_of_row(i);
    const double scale = lengths_[i] > 0 ? 1 / lengths_[i] : 1;
    spaces_.bounds[i] *= scale;
    spaces_.scales[i] *= scale;
    for (std::size_t j = 0; j < n; ++j) spaces_.rows[j * m + i] *= scale;
  }
}

/// Returns the length of a row, from the sum of squares unless it overflows or underflows.
double Projector::length_of_row(std::size_t i) const {
  if (lengths_[i] > 1e-280 && lengths_[i] < 1e280) return std::sqrt(lengths_[i]);
  double length = 0;
  for (std::size_t j = 0; j < spaces_.n; ++j)
    length = std::hypot(length, spaces_.rows[j * spaces_.count + i]);
  return length;
}

/// Computes x = target + L^-T y, and the multipliers of the original rows.
void Projector::unwhiten(const Projection& problem) {
  const std::size_t n = spaces_.n;
  x_.assign(nearest_.point().begin(), nearest_.point().end());
  for (std::size_t j = n; j-- > 0;) {
    x_[j] /= lower_[j * n + j];
    for (std::size_t k = 0; k < j; ++k) x_[k] -= lower_[j * n + k] * x_[j];
  }
  for (std::size_t j = 0; j < n; ++j) x_[j] += problem.target[j];
  multipliers_.assign(nearest_.multipliers().begin(), nearest_.multipliers().end());
  for (std::size_t k = 0; k < multipliers_.size(); ++k)
    multipliers_[k] /= lengths_[static_cast<std::size_t>(active()[k])];
}

}  // namespace toccata
