// The options of a query.
#pragma once

#include <cmath>

#include "toccata/base/index.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

/// The methods of first contact; docs/methods.md compares them.
enum class Method : std::uint8_t { automatic, hca, c2a, interval, adaptive };

/// Treatment of bodies that start within separation + tolerance of each other. They are reported,
/// ignored while they separate, or may rest on each other (docs/guarantees.md).
enum class Initial : std::uint8_t { report, ignore_separating, resting };

/// The options of a query about two bodies.
struct Options {
  Method method = Method::automatic;
  Initial initial = Initial::report;
  double separation = 0;  ///< distance that counts as contact, in mesh units
  /// Length by which a reported contact may exceed the separation. If it is 0, `default_tolerance`
  /// applies.
  double tolerance = 0;
  Count budget = 1'000'000;                  ///< units of work before the query ends undecided
  double cutoff = std::nextafter(1.0, 2.0);  ///< time from which contacts are ignored
  /// Control of c2a, in (0, 1]: a node pair is refined only if its gap is less than this fraction
  /// of the current distance.
  double w = 0.5;
  /// Bounds of the distance of a pair that may rest, at the start of the path; infinite for a pair
  /// that starts apart. Negative if the path starts with this motion.
  Interval start{-1.0};
  int exponent = 0;     ///< power of two by which lengths were scaled; for messages only
  bool timed = false;   ///< measures the seconds of the stages
  bool profile = true;  ///< permits the proof by profile (`clear_by_profile`)
};

}  // namespace toccata
