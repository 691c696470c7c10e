// Cubic polynomials in Bernstein form, and for how long they stay positive.
#pragma once

#include <array>

namespace toccata {

/// A cubic over [0, 1] by its Bernstein coefficients: its graph lies in the convex hull of the
/// control points (k / 3, c[k]).
using Cubic = std::array<double, 4>;

/// A number x <= 1 such that the cubic is positive on [0, x), near its first root; infinite if it
/// is positive on all of [0, 1]. "Positive" is meant up to 200 2^-53 of the largest coefficient,
/// and x may be too large by 11 2^-54.
double positive_until(const Cubic& cubic);

}  // namespace toccata
