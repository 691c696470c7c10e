// Distances in units of the shell at which bodies rest, and the separation of certified motions.
#pragma once

#include <algorithm>

#include "toccata/walk/pair.hpp"

namespace toccata {

constexpr double shell_in_radii = 1e-3;     ///< default shell
constexpr double touching_in_shells = 1.5;  ///< features within this distance take part in impacts
constexpr double recovery_in_shells = 0.2;  ///< largest displacement out to the shell at once

/// Returns 2/3 of a distance, at most `most`. With a tolerance of a fifth of it, no query starts in
/// contact.
constexpr double separation_at(double distance, double most) {
  return std::min(most, 2.0 / 3 * distance);
}
constexpr double tolerance_at(double separation) { return 0.2 * separation; }

/// Factor of the resolution, the distance below which rounding errors matter. `MovingPair` rejects
/// tolerances up to 8 errors.
constexpr double resolution_in_errors = 8000;
inline double resolution_of(const Body& a, const Body& b) {
  return resolution_in_errors * MovingPair(a, b, {}).error();
}

/// Returns whether a separation is above 1/20 of the resolution; its tolerance is then ten times
/// the least that `MovingPair` accepts.
constexpr bool is_above_rounding(double separation, double resolution) {
  return separation > resolution / 20;
}

}  // namespace toccata
