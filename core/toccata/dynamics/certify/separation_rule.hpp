// The shell of bodies at rest, and the separation at which their motions are certified.
#pragma once

#include <algorithm>

#include "toccata/walk/pair.hpp"

namespace toccata {

constexpr double shell_in_radii = 1e-3;     ///< the default distance of bodies at rest
constexpr double touching_in_shells = 1.5;  ///< nearer features take part in impacts
constexpr double recovery_in_shells = 0.2;  ///< the largest displacement back to the shell at once

/// Two thirds of a distance, so that with a tolerance of a fifth of it no question starts in
/// contact.
constexpr double separation_at(double distance, double most) {
  return std::min(most, 2.0 / 3 * distance);
}
constexpr double tolerance_at(double separation) { return 0.2 * separation; }

/// Below it a distance is near rounding. What `MovingPair` refuses is a tolerance of up to 8
/// errors.
constexpr double low_in_errors = 8000;
inline double low_distance(const Body& a, const Body& b) {
  return low_in_errors * MovingPair(a, b, {}).error();
}

/// A twentieth of what is low; its tolerance is ten times what rounding admits.
constexpr bool is_above_rounding(double separation, double low) { return separation > low / 20; }

}  // namespace toccata
