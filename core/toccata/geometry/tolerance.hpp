// Default tolerances of queries.
#pragma once

#include <algorithm>

#include "toccata/base/index.hpp"
#include "toccata/math/scalar.hpp"

namespace toccata {

/// Default tolerances of a first contact and of a clearance, as fractions of the radius of the
/// smaller body.
constexpr double contact_share = 1e-6, clearance_share = 1e-4;

/// Smallest tolerance that rounding admits, in units of the error of a pair's distances.
constexpr double least_in_errors = 8;

/// Returns the default tolerance of a pair: a share of `radius`, which is the radius of its smaller
/// body, but at least four times what rounding admits. If both bodies are points that stay at the
/// origin, every tolerance is valid, and the result is the share of a radius of 1.
inline double default_tolerance(double share, double radius, double error) {
  const double tolerance = std::max(share * radius, 4 * least_in_errors * error);
  return tolerance > 0 ? tolerance : share;
}

/// Statistics of the radii of some bodies, from which default tolerances are computed.
class Radii {
 public:
  void add(double radius) {
    least_ = std::min(least_, radius);
    second_ = std::max(second_, std::min(largest_, radius));
    largest_ = std::max(largest_, radius);
  }

  /// Returns the radius of the smallest body, or 0 without bodies.
  double least() const { return largest_ < least_ ? 0 : least_; }
  /// Returns the largest radius that the smaller body of a pair can have.
  double of_pairs() const { return second_; }
  /// Returns the same for pairs of two of these bodies, and of one of these with one of `others`.
  double of_pairs_with(const Radii& others) const {
    return std::max(second_, std::min(largest_, others.largest_));
  }
  /// Returns the radius of the smallest body of both sets.
  double least_with(const Radii& others) const {
    const double least = std::min(least_, others.least_);
    return least < infinity ? least : 0;
  }

 private:
  double least_ = infinity, second_ = 0, largest_ = 0;
};

}  // namespace toccata
