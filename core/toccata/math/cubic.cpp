#include "toccata/math/cubic.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/math/scalar.hpp"

namespace toccata {
namespace {

constexpr int most_cuts = 10;
/// Parts of the rest that are not worth another cut.
constexpr double settled = 1e-12;

/// The parts of a cubic before and after a number.
struct Parts {
  Cubic before, after;
};

/// De Casteljau's algorithm. Every coefficient is a sum of terms without cancellation among their
/// weights, so it errs by 9 2^-53 of these terms; as far as it is positive, they are below twice
/// the largest coefficient.
Parts cut(const Cubic& c, double x) {
  const auto mix = [x](double a, double b) { return a * (1 - x) + b * x; };
  const double c01 = mix(c[0], c[1]), c12 = mix(c[1], c[2]), c23 = mix(c[2], c[3]);
  const double c012 = mix(c01, c12), c123 = mix(c12, c23), middle = mix(c012, c123);
  return {{c[0], c01, c012, middle}, {middle, c123, c23, c[3]}};
}

bool is_positive(const Cubic& c) { return c[0] > 0 && c[1] > 0 && c[2] > 0 && c[3] > 0; }

/// Where the cubic falls to a small part of its largest coefficient, which is just before it falls
/// to zero. Newton's method, so it is a guess.
double guessed_root(const Cubic& c) {
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

/// Where the hull of the control points meets zero first, if the cubic starts above and does not
/// stay there: on a line between two of them. The factor covers the rounding.
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

// A guess is right if all coefficients of the part before it are positive. That fails where the
// cubic has a root before, or bends much: then what lies before the root of the hull is cut off.
// Every sum of a part that has passed errs by 2^-54; the products are covered by a factor.
double positive_until(const Cubic& cubic) {
  if (is_positive(cubic)) return infinity;
  Cubic c = cubic;
  double passed = 0;
  const auto within_rest = [&passed](double x) {
    return passed + x * (1 - passed) * (1 - 0x1p-50);
  };
  for (int k = 0; k < most_cuts && c[0] > 0; ++k) {
    const double guess = guessed_root(c);
    if (guess > 0 && guess < 1 && is_positive(cut(c, guess).before)) return within_rest(guess);
    const double x = hull_root(c);
    if (!(x > settled && x < 1)) break;
    passed = within_rest(x);
    c = cut(c, x).after;
    if (is_positive(c)) return infinity;
  }
  return passed;
}

}  // namespace toccata
