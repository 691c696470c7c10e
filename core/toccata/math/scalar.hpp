// Numbers and functions of one number that are needed everywhere.
#pragma once

#include <limits>
#include <numbers>

namespace toccata {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Rounded up.
inline constexpr double pi_above = std::numbers::pi * (1 + 0x1p-52);

/// The least normal number. As a part of a slack it covers what underflows.
inline constexpr double tiny = std::numeric_limits<double>::min();

/// NaN becomes 0.
constexpr double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

}  // namespace toccata
