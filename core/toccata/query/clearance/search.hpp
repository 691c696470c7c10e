// The clearance of moving bodies, bounded from both sides: a search for close points lowers the
// upper bound, and first-contact queries raise the lower bound.
#pragma once

#include <cmath>

#include "toccata/geometry/tolerance.hpp"
#include "toccata/query/clearance/nearby.hpp"

namespace toccata {

/// The options of a clearance query.
struct ClearanceQuery {
  double tolerance = 0;      ///< width of the answer; 0: `default_tolerance_of_clearance`
  double limit = infinity;   ///< larger distances are not resolved
  Count budget = 1'000'000;  ///< units of work before the bounds are reported as they are
};

/// Bounds of the least distance of all pairs at all times.
///
/// They differ by at most the tolerance, with two exceptions: the budget ran out, or no pair comes
/// nearer than the limit. In the second case, `lower` is at least the limit.
struct Clearance {
  double lower = 0, upper = infinity;
  double tolerance = 0;
  double time = nowhere.x;  ///< time at which the distance is at most `upper`
  Index element_a = -1, element_b = -1;
  Closest closest{nowhere, nowhere, nowhere.x, Feature::none};  ///< in world coordinates, at `time`
  Count pairs_tested = 0;
  Stats stats;
};

/// Returns the default tolerance, from the radius of the smallest body. Queries of pairs use half
/// of it, which is at least the tolerance that a pair would choose.
inline double default_tolerance_of_clearance(double least_radius, double error) {
  return 2 * default_tolerance(0.5 * clearance_share, least_radius, error);
}

ClearanceQuery scaled(const ClearanceQuery& query, int exponent);
/// Converts the answer of a scaled query back to the lengths of the query.
void scale_back(Clearance& found, const ClearanceQuery& query, int exponent);

/// A setting of a clearance search: it measures distances at single times, and finds a first
/// contact that can be resumed with a smaller separation.
template <class S>
concept ClearanceSetting = requires(
    S& setting, Nearby<typename S::Who>& best, const typename S::Who& who, const Instant& start,
    const Resolution& resolution, const Options& options, double x, int count) {
  /// Measures all pairs, or the pairs that are probably nearest, at the ends of `count` windows.
  setting.sample(count, resolution, best);
  /// Descends from two elements of one pair at one time.
  setting.descend(who, start, resolution, best);
  /// Finds the first contact of all pairs, and the pair in contact.
  { setting.run(options) } -> std::same_as<const Contact&>;
  { setting.resume(x) } -> std::same_as<const Contact&>;
  { setting.in_contact() } -> std::same_as<typename S::Who>;
  { setting.pairs_tested() } -> std::same_as<Count>;
};

/// A search for the clearance of a setting.
///
/// The lower bound is certified, and the upper bound is attained. A pass is a first-contact query
/// at a separation just below the upper bound. A contact starts a descent, which lowers the upper
/// bound. Then the pass resumes with a smaller separation, for which its proof so far is also
/// valid. A pass without further contacts raises the lower bound.
///
/// The search is coarse first, to find the local minima of the distance that matter. The proof that
/// bodies are not closer than at a local minimum takes much work around it, and is useless if the
/// bodies come much closer elsewhere. The first bounds therefore differ by a share of the distance.
///
/// A descent may gain little. After a few contacts in a pass, each further contact doubles the
/// margin between the upper bound and the separation, as long as a proof would at least halve the
/// difference of the bounds. The numbers of passes and of contacts per pass then grow like
/// log(1 / tolerance), independently of the gains.
template <ClearanceSetting Setting>
class ClearanceSearch {
 public:
  using Who = typename Setting::Who;

  /// Runs the search. The tolerance must not be 0. The setting must outlive the search.
  ClearanceSearch(Setting& setting, const ClearanceQuery& query)
      : setting_(setting),
        limit_(query.limit),
        resolution_{query.tolerance, shares[0]},
        best_{.upper = limit_ + query.tolerance} {
    setting_.sample(samples, {query.tolerance, share_of_samples}, best_);
    prove(query.budget);
  }

  /// Returns the answer. Its points are in the frame of the pair, as in `best`.
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
  /// Number of windows between the times of the first measurements.
  static constexpr int samples = 2;
  /// Share of the first measurements. `Resolution` uses an eighth, so half of the distance is not
  /// resolved: times far from the least distance need more tests than the proof, and gain less.
  static constexpr double share_of_samples = 4;
  /// Shares of the distance that are not resolved, from coarse to fine.
  static constexpr double shares[] = {1.0 / 4, 1.0 / 64, 0};
  /// Share for the last pass after the budget has run out.
  static constexpr double last_resort = 7.0 / 8;
  /// Number of contacts in a pass before the margin grows. Distances rarely have more local minima
  /// with decreasing values.
  static constexpr int patience = 8;

  /// Returns the separation to prove, about `margin` below the upper bound. It is slightly larger,
  /// so that the bounds differ by at most the tolerance in spite of rounding.
  double target(double margin) const {
    return std::min(limit_, best_.upper - margin * (1 - 0x1p-20));
  }
  bool is_proven(double margin) const { return !(target(margin) > found_.lower); }
  /// Returns the largest permitted difference of the bounds at the current resolution.
  double precision() const { return 8 * resolution_.gain(best_.upper); }

  /// Proves a lower bound within the tolerance of the upper bound, if the budget suffices.
  void prove(Count budget) {
    // No pair was found, so no pair exists.
    if (std::isinf(best_.upper)) {
      found_.lower = best_.upper;
      return;
    }
    // A quarter of the budget is kept for a weaker proof.
    Count left = budget - budget / 4;
    for (const double share : shares)
      if (!narrow(share, left)) {
        left = budget / 4;
        narrow(last_resort, left);
        return;
      }
  }

  /// Narrows the bounds to a resolution. Subtracts the work from `budget`. Returns false if the
  /// budget runs out.
  bool narrow(double share, Count& budget) {
    resolution_.share = share;
    // Skipped for a body that starts inside another one: there the distance is 0, and proven.
    if (best_.who && !is_proven(precision()))
      descend(Who(*best_.who), {best_.time, best_.element_a, best_.element_b});
    while (!is_proven(precision()))
      if (!pass(budget)) return false;
    return true;
  }

  /// Raises the lower bound to the target, which falls after each contact. Returns false if the
  /// budget runs out.
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

  /// Lowers the upper bound after a contact of two bodies, which are within `bound` of each other.
  void come_closer(const Contact& contact, double bound) {
    const Who who = setting_.in_contact();
    if (contact.element_a < 0) {  // one starts inside of the other
      best_ = {.upper = 0, .who = who, .stats = best_.stats};
      best_.closest.distance = 0;
      return;
    }
    descend(who, {contact.toc, contact.element_a, contact.element_b});
    // Points of curved surfaces are measured with an error, so the contact may be closer than the
    // best points. The bound must fall with each contact, or the search would not end.
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
