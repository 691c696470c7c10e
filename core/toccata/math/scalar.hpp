// Constants and functions of one number.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace toccata {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Pi, rounded up.
inline constexpr double pi_above = std::numbers::pi * (1 + 0x1p-52);

/// Smallest normal number. As a term of a slack it covers underflow.
inline constexpr double tiny = std::numeric_limits<double>::min();

/// Returns the exponent of the power of two that scales a size to about 1, at most 1000.
inline int scale_exponent(double size) { return std::min(-std::ilogb(size), 1000); }
/// Returns that power of two. Scaled lengths have squares that neither underflow nor overflow.
inline double scale_for(double size) { return std::ldexp(1.0, scale_exponent(size)); }

/// Clamps to [0, 1]; NaN becomes 0.
constexpr double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

}  // namespace toccata
