// Numbers and functions of one number that are needed everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace toccata {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Rounded up.
inline constexpr double pi_above = std::numbers::pi * (1 + 0x1p-52);

/// The least normal number. As a part of a slack it covers what underflows.
inline constexpr double tiny = std::numeric_limits<double>::min();

/// The exponent of the power of two that brings a size to about 1, or as near as exponents go.
inline int scale_exponent(double size) { return std::min(-std::ilogb(size), 1000); }
/// That power itself: lengths times it have squares that neither vanish nor overflow.
inline double scale_for(double size) { return std::ldexp(1.0, scale_exponent(size)); }

/// NaN becomes 0.
constexpr double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

}  // namespace toccata
