// Polynomials of time, with bounds on their derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "toccata/math/interval.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// Polynomial of degree 5 or less, for t in [0, 1]. T is a number or a vector.
template <class T>
struct Polynomial {
  static constexpr int count = 6;
  std::array<T, count> term{};  ///< coefficients of t^k

  T operator()(double t) const {
    T value = term[count - 1];
    for (int k = count - 2; k >= 0; --k) value = value * t + term[k];
    return value;
  }

  /// Returns the polynomial in powers of t - `at`: term k is its k-th derivative at `at`, divided
  /// by k!.
  Polynomial about(double at) const {
    Polynomial result = *this;
    for (int first = 0; first < count - 1; ++first)
      for (int k = count - 2; k >= first; --k)
        result.term[k] = result.term[k] + result.term[k + 1] * at;
    return result;
  }
};

inline double size(double x) { return std::abs(x); }
inline double size(const Vec3d& v) { return norm(v); }

/// Returns k (k - 1) ... with `order` factors: the factor of the derivative of t^k of that order.
constexpr double falling_factorial(int k, int order) {
  return order == 0 ? 1 : k * falling_factorial(k - 1, order - 1);
}

/// Bounds the size of a derivative over [0, 1] by the sum of its terms, rounding included.
template <class T>
double term_sum(const Polynomial<T>& p, int order) {
  double sum = 0;
  for (int k = order; k < p.count; ++k) sum += falling_factorial(k, order) * size(p.term[k]);
  return sum * (1 + 0x1p-40);
}

/// Bounds on the sizes of the first three derivatives of a polynomial over a window.
class DerivativeBounds {
 public:
  /// Bounds the derivatives over `window`, a range within [0, 1].
  template <class T>
  DerivativeBounds(const Polynomial<T>& p, Interval window) {
    // The Taylor expansion about the middle is finite, so the sum of the largest values of its
    // terms is a bound. Each term is a sum of up to 32 products, with at most 15 roundings, of
    // numbers that add up to at most `sum`.
    const double mid = middle(window), half = std::max(window.hi - mid, mid - window.lo);
    const Polynomial<T> near = p.about(mid);
    for (int order = 1; order <= 3; ++order) {
      double bound = 0, power = 1;
      for (int k = order; k < p.count; ++k, power *= half)
        bound += falling_factorial(k, order) * size(near.term[k]) * power;
      const double sum = term_sum(p, order);
      most_[order - 1] = std::min(sum, bound * (1 + 0x1p-40) + 0x1p-44 * sum);
    }
  }
  double operator[](int order) const { return most_[order - 1]; }

 private:
  std::array<double, 3> most_;
};

}  // namespace toccata
