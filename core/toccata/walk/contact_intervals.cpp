// Alternation between the next first contact and its end, which is found by steps of the resolution
// and bisection.
#include "toccata/walk/contact_intervals.hpp"

#include <algorithm>

#include "toccata/base/interruption.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/one_pair.hpp"
#include "toccata/walk/overlap.hpp"

namespace toccata {
namespace {

/// Number of bisections, within one resolution, for the end of a contact.
constexpr int halvings = 10;

/// Cutoff that includes contacts at time 1.
const double after_all = std::nextafter(1.0, 2.0);

/// The search for the contact intervals of one pair.
class IntervalSearch {
 public:
  IntervalSearch(const MovingPair& pair, double resolution, Count& budget)
      : pair_(pair), resolution_(resolution), budget_(budget) {}

  std::vector<Interval> run() {
    std::vector<Interval> found;
    double time = 0;
    while (time < 1 || found.empty()) {
      const Contact next = search(time, after_all);
      const double begin = is_inside(pair_, time, next.safe_until) ? time : next.toc;
      if (begin > 1) break;
      const bool ends = next.status == Status::contact;
      time = ends ? end_of(next) : 1;
      found.push_back({begin, time});
    }
    unite(found, resolution_);
    return found;
  }

 private:
  /// Returns the first contact of the surfaces from `start` on, before the cutoff.
  Contact search(double start, double cutoff) {
    pair_.limit(cutoff, std::max(budget_, Count{0}));
    const Contact contact = walk_pair(pair_, start);
    budget_ -= contact.stats.work;
    return contact;
  }

  bool is_free(double start, double cutoff) {
    return search(start, cutoff).status == Status::free && !is_inside(pair_, start, cutoff);
  }

  /// Returns whether the two elements of an earlier contact touch at a time. Resets the cutoff,
  /// because the cutoff of the last search may be earlier.
  bool touch(const Contact& contact, double time) {
    pair_.limit(after_all, budget_);
    const PairState state = pair_.state(time, time);
    return approach_leaves(pair_, state, contact.element_a, contact.element_b, time).touches;
  }

  /// Returns a time after the end of a contact. No other contact follows within the resolution.
  double end_of(Contact contact) {
    for (double last = contact.toc; last < 1;) {
      const double next = std::min(1.0, last + resolution_);
      if (!spend(budget_)) return 1;
      if (!touch(contact, next)) {
        const double soon = std::min(next + resolution_, 1.0);
        const Contact found = search(next, soon < 1 ? soon : after_all);
        if (found.status == Status::undecided) return 1;
        if (found.status == Status::free)
          return is_inside(pair_, next, soon) ? next : end_between(last, next);
        contact = found;
        last = contact.toc;
      } else {
        last = next;
      }
    }
    return 1;
  }

  /// Bisects for the end of a contact between `last`, which is in contact, and `after`, which is
  /// not. Returns a time after the end.
  double end_between(double last, double after) {
    for (int i = 0; i < halvings; ++i) {
      const double middle = last + (after - last) / 2;
      if (is_free(middle, after)) after = middle;
      else last = middle;
    }
    return after;
  }

  MovingPair pair_;
  double resolution_;
  Count& budget_;
};

}  // namespace

std::vector<Interval> contact_intervals(const MovingPair& pair, double resolution, Count& budget) {
  return IntervalSearch(pair, resolution, budget).run();
}

void unite(std::vector<Interval>& intervals, double resolution) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& s, const Interval& t) { return s.lo < t.lo; });
  std::size_t count = 0;
  for (const Interval& next : intervals) {
    if (count > 0 && next.lo - intervals[count - 1].hi < resolution)
      intervals[count - 1].hi = std::max(intervals[count - 1].hi, next.hi);
    else intervals[count++] = next;
  }
  intervals.resize(count);
}

}  // namespace toccata
