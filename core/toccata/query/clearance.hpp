// How near bodies come to each other during a motion: a bracket, by search from above and proof
// from below.
#pragma once

#include <cmath>

#include "toccata/query/nearby.hpp"
#include "toccata/walk/tolerance.hpp"

namespace toccata {

struct ClearanceQuestion {
  double tolerance = 0;     ///< of the answer; 0: see `default_tolerance_of_clearance`
  double limit = infinity;  ///< larger distances do not matter
  Count budget = 1'000'000;
};

/// The least distance of all pairs at all times lies in lower..upper, which is not wider than the
/// tolerance unless the budget ran out or nothing comes nearer than the limit; then `lower` is at
/// least the limit.
struct Clearance {
  double lower = 0, upper = infinity;
  double tolerance = 0;
  double time = nowhere.x;  ///< at which the distance is not more than `upper`
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< world, at `time`
  Count pairs_tested = 0;
  Stats stats;
};

/// Returns the tolerance for bodies of which the smallest has this radius, so that no pair is asked
/// about less than it would choose: pairs have half of it as their tolerance.
inline double default_tolerance_of_clearance(double least_radius, double error) {
  return 2 * default_tolerance(0.5 * clearance_share, least_radius, error);
}

ClearanceQuestion scaled(const ClearanceQuestion& question, int exponent);
/// The answer to a question that was scaled, in the lengths of the question.
void scale_back(Clearance& found, const ClearanceQuestion& asked, int exponent);

/// Bodies among which to search: who is near, and a first contact that can go on with a smaller
/// separation.
template <class S>
concept ClearanceSetting = requires(S& setting, Nearby<typename S::Who>& best,
                                    const typename S::Who& who, const Options& options, double x) {
  /// All pairs at one time.
  setting.look(x, x, best);
  /// One pair around a time, and at a time.
  setting.descend(x, x, best);
  setting.measure(who, x, x, best);
  /// The first contact of all pairs, and who has it.
  { setting.run(options) } -> std::same_as<const Contact&>;
  { setting.resume(x) } -> std::same_as<const Contact&>;
  { setting.in_contact() } -> std::same_as<typename S::Who>;
  { setting.pairs_tested() } -> std::same_as<Count>;
};

/// One search; `setting` stays with the caller.
template <ClearanceSetting Setting>
class ClearanceSearch {
 public:
  using Who = typename Setting::Who;

  /// The tolerance is not 0.
  ClearanceSearch(Setting& setting, const ClearanceQuestion& question)
      : setting_(setting),
        tolerance_(question.tolerance),
        limit_(question.limit),
        best_{.upper = limit_ + tolerance_} {
    asked_.tolerance = 0.5 * tolerance_;
    for (int k = 0; k <= samples; ++k)
      setting_.look(static_cast<double>(k) / samples, tolerance_, best_);
    if (best_.who) setting_.descend(1.0 / samples, tolerance_, best_);
    // Most of the budget is for the whole proof; a weaker one is better than none.
    if (!prove(1, question.budget - question.budget / 2) && !prove(0.5, question.budget / 4))
      prove(0.125, question.budget / 4);
  }

  /// Points are those of `best`: in the frame of the pair.
  Clearance answer() const {
    Clearance found = found_;
    found.tolerance = tolerance_;
    if (!best_.who) return found;
    found.upper = best_.upper;
    found.time = best_.time;
    found.element_a = best_.element_a;
    found.element_b = best_.element_b;
    found.closest = best_.closest;
    return found;
  }
  const Nearby<Who>& best() const { return best_; }

 private:
  static constexpr int samples = 2;  // intervals between the times that are looked at first

  /// The separation to be proven for the bound that is known. A little more than has to be, so that
  /// rounding does not make the bounds differ by more than the tolerance.
  double target() const { return std::min(limit_, best_.upper - tolerance_ * (1 - 0x1p-20)); }

  /// Whether all pairs stay farther apart than a share of the target, which may sink meanwhile.
  bool prove(double share, Count budget) {
    if (!(target() > 0)) return true;
    // With nothing in sight, all there is to prove is that there is nothing.
    if (std::isinf(target())) return found_.lower = best_.upper, true;
    asked_.separation = share * target();
    asked_.budget = std::max<Count>(budget, 1);
    const Contact* contact = &setting_.run(asked_);
    while (contact->status == Status::contact || contact->status == Status::initial_overlap) {
      come_closer(*contact, asked_.separation + asked_.tolerance);
      if (!(target() > 0)) break;
      asked_.separation = share * target();
      contact = &setting_.resume(asked_.separation);
    }
    found_.stats += contact->stats;
    found_.pairs_tested = std::max(found_.pairs_tested, setting_.pairs_tested());
    if (contact->status == Status::free) found_.lower = asked_.separation;
    return contact->status != Status::undecided;
  }

  /// The two bodies in contact are within `bound` of each other: measures, and looks around.
  void come_closer(const Contact& contact, double bound) {
    const Who who = setting_.in_contact();
    if (contact.element_a < 0) {  // one starts inside of the other
      best_ = {0, 0, who};
      best_.closest.distance = 0;
      return;
    }
    setting_.measure(who, contact.toc, tolerance_, best_);
    setting_.descend(0.5 / samples, tolerance_, best_);
    best_.upper = std::min(best_.upper, bound);
  }

  Setting& setting_;
  double tolerance_, limit_;
  Options asked_;
  Nearby<Who> best_;
  Clearance found_;
};

}  // namespace toccata
