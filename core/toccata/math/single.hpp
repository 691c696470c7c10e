// Numbers in single precision that are rounded to one side.
#pragma once

#include <cmath>

namespace toccata {

// One operation in single precision errs by at most 2^-24 of its result, so a factor of 1 +- 2^-22
// covers a conversion and two or three operations.
inline constexpr float single_up = 1 + 0x1p-22f, single_slack = 0x1p-22f;

/// Converts a number that is not negative. The result is at least as large.
inline float rounded_up(double x) { return static_cast<float>(x) * single_up + 1e-37f; }
/// Converts a finite number. The result is at most as large.
inline float rounded_down(double x) {
  const auto y = static_cast<float>(x);
  return y - std::abs(y) * single_slack - 1e-37f;
}

}  // namespace toccata
