// Cubic polynomials in Bernstein form: proves up to which time a cubic is positive.
#pragma once

#include <array>

namespace toccata {

/// A cubic over [0, 1], given by its Bernstein coefficients. Its graph lies in the convex hull of
/// the control points (k / 3, c[k]).
using Cubic = std::array<double, 4>;

/// Returns a number x <= 1, close to the first root, until which the cubic is positive: on all of
/// [0, x). Returns infinity if it is positive on all of [0, 1]. "Positive" holds up to 200 2^-53 of
/// the largest coefficient, and x may be too large by 11 2^-54.
double positive_until(const Cubic& cubic);

}  // namespace toccata
