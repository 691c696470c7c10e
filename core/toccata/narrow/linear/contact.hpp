// First contact of a vertex and a face, or of two edges, whose vertices move on straight lines:
// the elementary tests of deforming meshes, certified in floating point.
#pragma once

#include "toccata/base/index.hpp"
#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

struct LinearOptions {
  double separation = 0;  ///< distance that counts as contact
  double tolerance = 1e-6;
  Count budget = 20'000;  ///< planes tried; running out is reported as undecided
};

enum class Outcome : std::uint8_t { free, contact, undecided };

/// The features are farther apart than the separation before `time`. At `time` they are within
/// separation + tolerance, if the outcome says contact. Free: at all times, `time` is infinite.
struct LinearContact {
  Outcome outcome = Outcome::free;
  double time = infinity;
};

/// Steps of time that are not worth another one, once the features are within the tolerance.
constexpr double settled = 1e-9;
/// Within the tolerance, a contact that is still not settled after so many steps is reported.
constexpr Count patience = 400;

/// What tests leave behind for those after them.
struct Trace {
  Vec3d separating{1, 0, 0};  ///< showed the last pair to be apart; of any length
  Count planes = 0;           ///< tried by all of them
};

/// The first contact of a pair, or free if there is none up to `cutoff`. The time of a contact does
/// not depend on `cutoff`.
template <PairKind kind>
LinearContact first_contact(const LinearPair& pair, const LinearOptions& options, double cutoff = 1,
                            Trace* trace = nullptr);

/// The same for a pair that no axis separates, for callers that have asked the filters, and
/// which is known to be apart before `time`.
template <PairKind kind>
LinearContact advance(const Differences<kind>& pair, const LinearOptions& options,
                      double cutoff = 1, double time = 0, Trace* trace = nullptr);

/// The first contact after the start of features that have a point in common there: at least one
/// difference of their vertices is zero at the start, and not at the end. Contact at 0 if they are
/// not shown to come apart from there. The separation does not count: they begin within it.
template <PairKind kind>
LinearContact contact_after_start(const LinearPair& pair, const LinearOptions& options,
                                  double cutoff, Trace* trace = nullptr);

}  // namespace toccata
