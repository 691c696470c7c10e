// How near bodies come to each other during a motion: a bracket, by search from above and proof
// from below.
#pragma once

#include <cmath>

#include "toccata/geometry/tolerance.hpp"
#include "toccata/query/clearance/nearby.hpp"

namespace toccata {

struct ClearanceQuery {
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

ClearanceQuery scaled(const ClearanceQuery& query, int exponent);
/// The answer to a query that was scaled, in the lengths of the query.
void scale_back(Clearance& found, const ClearanceQuery& query, int exponent);

/// Bodies among which to search: distances at single times, and a first contact that can be resumed
/// with a smaller separation.
template <class S>
concept ClearanceSetting = requires(
    S& setting, Nearby<typename S::Who>& best, const typename S::Who& who, const Instant& start,
    const Resolution& resolution, const Options& options, double x, int count) {
  /// Measures all pairs at the ends of `count` intervals of time, or those likely to be
  /// nearest.
  setting.look(count, resolution, best);
  /// Descends from two elements of one pair at one time.
  setting.descend(who, start, resolution, best);
  /// Finds the first contact of all pairs, and the pair that has it.
  { setting.run(options) } -> std::same_as<const Contact&>;
  { setting.resume(x) } -> std::same_as<const Contact&>;
  { setting.in_contact() } -> std::same_as<typename S::Who>;
  { setting.pairs_tested() } -> std::same_as<Count>;
};

/// One search; `setting` stays with the caller.
///
/// The lower bound is certified, the upper bound is attained. A pass is one search for a first
/// contact at a separation just below the upper bound. A contact starts a descent, which lowers the
/// upper bound; then the pass resumes with a smaller separation, for which its proof so far holds
/// too. A pass without further contacts raises the lower bound.
///
/// A proof that bodies are not closer than in some dip of their distance takes much work around
/// that dip, which is in vain if they come much closer elsewhere. So the search is coarse first:
/// bounds within a share of the distance find the dips that matter.
///
/// A descent may gain little. After a few contacts of one pass, each further one therefore doubles
/// the margin between the upper bound and the separation, as long as that halves the bracket at
/// least. So the numbers of passes and of their contacts grow like log(1 / tolerance), whatever
/// descents gain.
template <ClearanceSetting Setting>
class ClearanceSearch {
 public:
  using Who = typename Setting::Who;

  /// The tolerance is not 0.
  ClearanceSearch(Setting& setting, const ClearanceQuery& query)
      : setting_(setting),
        limit_(query.limit),
        resolution_{query.tolerance, shares[0]},
        best_{.upper = limit_ + query.tolerance} {
    setting_.look(samples, {query.tolerance, share_of_look}, best_);
    prove(query.budget);
  }

  /// Points are those of `best`: in the frame of the pair.
  Clearance answer() const {
    Clearance found = found_;
    found.tolerance = resolution_.tolerance;
    found.stats += best_.stats;
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
  /// Half of the distance: a share of which an eighth counts. Times far from the least distance
  /// take more tests than the proof, and tell less.
  static constexpr double share_of_look = 4;
  /// Shares of the distance that are resolved, from coarse to fine.
  static constexpr double shares[] = {1.0 / 4, 1.0 / 64, 0};
  static constexpr double last_resort = 7.0 / 8;  // the same if the budget runs out
  /// Contacts of a pass before its margin grows. Distances rarely have more dips of which each is
  /// lower than all before.
  static constexpr int patience = 8;

  /// Returns the separation to be proven, by `margin` below the upper bound. A little more, so that
  /// rounding does not make the bounds differ by more than the tolerance.
  double target(double margin) const {
    return std::min(limit_, best_.upper - margin * (1 - 0x1p-20));
  }
  bool is_proven(double margin) const { return !(target(margin) > found_.lower); }
  /// Returns how far apart the bounds may be at the current resolution.
  double precision() const { return 8 * resolution_.gain(best_.upper); }

  /// Proves a lower bound: within the tolerance of the upper one, if the budget suffices.
  void prove(Count budget) {
    // With nothing in sight, all there is to prove is that there is nothing.
    if (std::isinf(best_.upper)) {
      found_.lower = best_.upper;
      return;
    }
    // Most of the budget is for the whole proof; a weaker one is better than none.
    Count left = budget - budget / 4;
    for (const double share : shares)
      if (!narrow(share, left)) {
        left = budget / 4;
        narrow(last_resort, left);
        return;
      }
  }

  /// Brings the bounds together at a resolution. Takes units of work from `budget`. Returns false
  /// if that runs out.
  bool narrow(double share, Count& budget) {
    resolution_.share = share;
    // Bodies of which one starts inside of the other are proven to be in contact without elements.
    if (best_.who && !is_proven(precision()))
      descend(Who(*best_.who), {best_.time, best_.element_a, best_.element_b});
    while (!is_proven(precision()))
      if (!pass(budget)) return false;
    return true;
  }

  /// Raises the lower bound to the target, which may fall meanwhile; see `narrow`.
  bool pass(Count& budget) {
    const double precise = precision();
    double margin = precise;
    const auto separation = [&] {
      return std::max(target(margin), 0.5 * (found_.lower + target(precise)));
    };
    options_.tolerance = 0.5 * precise;
    options_.separation = separation();
    options_.budget = std::max<Count>(budget, 1);
    const Contact* contact = &setting_.run(options_);
    for (int k = 1; is_contact(*contact); ++k) {
      come_closer(*contact, options_.separation + options_.tolerance);
      if (is_proven(precise)) break;
      if (k > patience) margin *= 2;
      options_.separation = separation();
      contact = &setting_.resume(options_.separation);
    }
    budget -= contact->stats.work;
    found_.stats += contact->stats;
    found_.pairs_tested = std::max(found_.pairs_tested, setting_.pairs_tested());
    if (contact->status == Status::free) found_.lower = options_.separation;
    return contact->status != Status::undecided;
  }

  static bool is_contact(const Contact& contact) {
    return contact.status == Status::contact || contact.status == Status::initial_overlap;
  }

  /// The two bodies in contact are within `bound` of each other: descends from there.
  void come_closer(const Contact& contact, double bound) {
    const Who who = setting_.in_contact();
    if (contact.element_a < 0) {  // one starts inside of the other
      best_ = {.upper = 0, .who = who, .stats = best_.stats};
      best_.closest.distance = 0;
      return;
    }
    descend(who, {contact.toc, contact.element_a, contact.element_b});
    // Points of curved surfaces are measured up to a part of the tolerance: the contact itself may
    // be closer. Each contact then lowers the bound, which ends the search.
    best_.upper = std::min(best_.upper, bound);
  }

  void descend(const Who& who, const Instant& start) {
    setting_.descend(who, start, resolution_, best_);
  }

  Setting& setting_;
  double limit_;
  Resolution resolution_;
  Options options_;
  Nearby<Who> best_;
  Clearance found_;
};

}  // namespace toccata
