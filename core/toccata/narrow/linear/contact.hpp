// Elementary tests of deforming meshes, certified in floating point: the first contact of a vertex
// and a face, or of two edges, whose vertices move linearly.
#pragma once

#include "toccata/base/index.hpp"
#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

struct LinearOptions {
  double separation = 0;  ///< distance that counts as contact
  double tolerance = 1e-6;
  Count budget = 20'000;  ///< maximum number of planes to try; if exceeded, the pair is undecided
};

enum class Outcome : std::uint8_t { free, contact, undecided };

/// Result of an elementary test. The features are farther apart than the separation before `time`.
/// If the outcome is contact, they are within separation + tolerance at `time`. If it is free,
/// `time` is infinite.
struct LinearContact {
  Outcome outcome = Outcome::free;
  double time = infinity;
};

/// Length of an advance that is too short to try another one, once the features are within the
/// tolerance.
constexpr double settled = 1e-9;
/// Number of advances after which a contact within the tolerance is reported, even if it is not
/// settled.
constexpr Count patience = 400;

/// Data that one test passes to the next ones.
struct Trace {
  Vec3d separating{1, 0, 0};  ///< direction that separated the last pair; of any length
  Count planes = 0;           ///< number of planes tried by all tests
};

/// Returns the first contact of a pair, or free without one up to `cutoff`. The time of a contact
/// does not depend on `cutoff`.
template <PairKind kind>
LinearContact first_contact(const LinearPair& pair, const LinearOptions& options, double cutoff = 1,
                            Trace* trace = nullptr);

/// Does the same for a pair that no coordinate axis separates, as the caller has tested. The pair
/// is known to be apart before `time`.
template <PairKind kind>
LinearContact advance(const Differences<kind>& pair, const LinearOptions& options,
                      double cutoff = 1, double time = 0, Trace* trace = nullptr);

/// Returns the first contact after the start of features that have a common point there: at least
/// one difference of their vertices is zero at the start, and not at the end. Returns a contact at
/// 0 if they are not proven to separate from there. Ignores the separation, because the features
/// start within it.
template <PairKind kind>
LinearContact contact_after_start(const LinearPair& pair, const LinearOptions& options,
                                  double cutoff, Trace* trace = nullptr);

}  // namespace toccata
