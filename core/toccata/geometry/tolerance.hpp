// The tolerance of a query that was given none.
#pragma once

#include <algorithm>

#include "toccata/base/index.hpp"
#include "toccata/math/scalar.hpp"

namespace toccata {

/// Parts of the smaller body's radius that a first contact and a clearance resolve by default.
constexpr double contact_share = 1e-6, clearance_share = 1e-4;

/// The least tolerance that rounding admits, in units of the error of a pair's distances.
constexpr double least_in_errors = 8;

/// Returns the tolerance of two bodies of which the smaller has this radius: a share of it, or four
/// times the least that rounding admits. Without any length, where all is at the origin and stays
/// there, every tolerance is valid: the share itself, as if the radius were 1.
inline double default_tolerance(double share, double radius, double error) {
  const double tolerance = std::max(share * radius, 4 * least_in_errors * error);
  return tolerance > 0 ? tolerance : share;
}

/// The radii of some bodies, as far as default tolerances depend on them.
class Radii {
 public:
  void add(double radius) {
    least_ = std::min(least_, radius);
    second_ = std::max(second_, std::min(largest_, radius));
    largest_ = std::max(largest_, radius);
  }

  /// Returns the radius of the smallest body; 0 if there is none.
  double least() const { return largest_ < least_ ? 0 : least_; }
  /// Returns the largest radius that the smaller body of a pair has.
  double of_pairs() const { return second_; }
  /// Returns the same for all pairs among these bodies, and of one of these with one of `others`.
  double of_pairs_with(const Radii& others) const {
    return std::max(second_, std::min(largest_, others.largest_));
  }
  /// Returns the radius of the smallest body of both.
  double least_with(const Radii& others) const {
    const double least = std::min(least_, others.least_);
    return least < infinity ? least : 0;
  }

 private:
  double least_ = infinity, second_ = 0, largest_ = 0;
};

}  // namespace toccata
