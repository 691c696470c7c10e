// What a query is asked, beyond bodies and motions.
#pragma once

#include <cmath>

#include "toccata/base/index.hpp"
#include "toccata/math/interval.hpp"

namespace toccata {

/// The methods of first contact; docs/methods.md compares them.
enum class Method : std::uint8_t { automatic, hca, c2a, interval, adaptive };

/// What to do with bodies that start within separation + tolerance of each other.
enum class Initial : std::uint8_t { report, ignore_separating, resting };

struct Options {
  Method method = Method::automatic;
  Initial initial = Initial::report;
  double separation = 0;  ///< distance that counts as contact, in mesh units
  /// A contact is reported at most this much farther away. 0: see `default_tolerance`.
  double tolerance = 0;
  Count budget = 1'000'000;  ///< steps of work allowed; running out is reported as a status
  double cutoff = std::nextafter(1.0, 2.0);  ///< contacts at or after this time are not looked for
  /// c2a: how much of the current distance a node must undercut to be refined; 1 is no control.
  double w = 0.5;
  /// Bounds of the distance at which a pair that may rest has started, if this motion is a part of
  /// a longer one; infinite: apart. Negative: the pair starts with this motion.
  Interval start{-1.0};
  int exponent = 0;     ///< lengths are those asked for, times this power of two; for messages only
  bool timed = false;   ///< measure how long the stages take
  bool profile = true;  ///< after many steps, ask for a proof by profile; see `clear_by_profile`
};

}  // namespace toccata
