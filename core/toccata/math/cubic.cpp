// Certified positivity of cubics by subdivision in Bernstein form.
#include "toccata/math/cubic.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/math/scalar.hpp"

namespace toccata {
namespace {

constexpr int most_cuts = 10;
/// Portion of the remaining range below which another cut does not pay.
constexpr double settled = 1e-12;

/// A cubic cut in two, each portion over [0, 1].
struct Parts {
  Cubic before, after;
};

/// Cuts a cubic at x by De Casteljau's algorithm. Each coefficient is a weighted sum with positive
/// weights, so its error is at most 9 2^-53 times the sum of the absolute terms. For a positive
/// coefficient, that sum is below twice the largest coefficient of the cubic.
Parts cut(const Cubic& c, double x) {
  const auto mix = [x](double a, double b) { return a * (1 - x) + b * x; };
  const double c01 = mix(c[0], c[1]), c12 = mix(c[1], c[2]), c23 = mix(c[2], c[3]);
  const double c012 = mix(c01, c12), c123 = mix(c12, c23), middle = mix(c012, c123);
  return {{c[0], c01, c012, middle}, {middle, c123, c23, c[3]}};
}

bool is_positive(const Cubic& c) { return c[0] > 0 && c[1] > 0 && c[2] > 0 && c[3] > 0; }

/// Estimates by Newton's method where the cubic falls to a small fraction of its largest
/// coefficient, which is just before its root. Not certified.
double estimated_root(const Cubic& c) {
  const double level = 0x1p-40 * std::max({c[0], c[1], c[2], c[3]}), a0 = c[0] - level;
  const double a1 = 3 * (c[1] - c[0]), a2 = 3 * (c[2] - 2 * c[1] + c[0]);
  const double a3 = c[3] - c[0] + 3 * (c[1] - c[2]);
  double x = c[3] < 0 ? c[0] / (c[0] - c[3]) : 0;
  for (int k = 0; k < 8; ++k) {
    const double step = (a0 + x * (a1 + x * (a2 + x * a3))) / (a1 + x * (2 * a2 + x * 3 * a3));
    x -= step;
    if (!(std::abs(step) > 1e-6)) break;
  }
  return x;
}

/// Returns the first zero of the convex hull of the control points, which lies on a line between
/// two of them, or infinity if the hull stays positive after its start. The factor covers rounding.
double hull_root(const Cubic& c) {
  double x = infinity;
  for (int j = 1; j < 4; ++j) {
    if (c[j] > 0) continue;
    for (int i = 0; i < j; ++i)
      if (c[i] > 0) x = std::min(x, (i + (j - i) * (c[i] / (c[i] - c[j]))) / 3);
  }
  return x * (1 - 0x1p-40);
}

}  // namespace

// Proves that the cubic is positive on [0, x): an estimate x is accepted if all coefficients of the
// portion before x are positive. The estimate fails if the cubic has an earlier root or bends much.
// Then the portion before the root of the hull, which is positive, is cut off, and the rest is
// tried again. Each sum in `passed` errs by 2^-54; a factor covers the products.
double positive_until(const Cubic& cubic) {
  if (is_positive(cubic)) return infinity;
  Cubic c = cubic;
  double passed = 0;
  const auto within_rest = [&passed](double x) {
    return passed + x * (1 - passed) * (1 - 0x1p-50);
  };
  for (int k = 0; k < most_cuts && c[0] > 0; ++k) {
    const double estimate = estimated_root(c);
    if (estimate > 0 && estimate < 1 && is_positive(cut(c, estimate).before))
      return within_rest(estimate);
    const double x = hull_root(c);
    if (!(x > settled && x < 1)) break;
    passed = within_rest(x);
    c = cut(c, x).after;
    if (is_positive(c)) return infinity;
  }
  return passed;
}

}  // namespace toccata
