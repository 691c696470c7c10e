#include "toccata/dynamics/certifier.hpp"

#include <algorithm>

#include "toccata/query/rigid/distance.hpp"

namespace toccata {
namespace {

// Of tolerances that rounding admits. A separation is at least a twentieth of `low`, and its
// tolerance a fifth of that: ten times what is admitted.
constexpr double low_in_tolerances = 1000;

constexpr double separation_in_distances = 2.0 / 3;
constexpr double tolerance_in_separations = 0.2;

}  // namespace

struct Certifier::Question {
  double separation, cutoff;
};

double Certifier::low(const Motion& motion, Index i) const {
  // What `MovingPair` refuses is a tolerance of up to 8 errors.
  return low_in_tolerances * 8 * MovingPair({body_, motion}, world_.body(i), {}).error();
}

bool Certifier::is_near(const Motion& motion, Index i, double distance) const {
  const Box swept = swept_box(motion, body_.center(), body_.radius(), {0, 1});
  const Box& box = world_.box(i);
  // Far more than what rounding does to the ends of boxes.
  const double slack = 0x1p-40 *
                       (norm1(swept.lo) + norm1(swept.hi) + norm1(box.lo) + norm1(box.hi));
  return near(swept, box, distance + slack);
}

Contact Certifier::ask(const Motion& motion, Index i, const Question& question) const {
  Options options;
  options.separation = question.separation;
  options.tolerance = tolerance_in_separations * question.separation;
  options.cutoff = question.cutoff;
  return first_contact({body_, motion}, world_.body(i), options);
}

bool Certifier::is_farther_at_end(const Motion& motion, Index i, double distance) const {
  const Motion end = Motion::fixed(motion.pose(1));
  return toccata::distance({body_, end}, world_.body(i)).lower >= distance;
}

/// The start is farther than separation + tolerance, 0.8 of its distance. One of `low` or more
/// becomes no less than 2/3 of share times it, and one below does not shrink: with a share of at
/// least 2/5, all stay above low / 4.
Verdict Certifier::certify(const Motion& motion, const StartDistances& start, double most,
                           double share) const {
  Verdict verdict{1, share * most, true};
  for (Index i = 0; i < static_cast<Index>(world_.size()); ++i) {
    const double distance = std::min(start.known[i], start.rest);
    const double separation = share * std::min(most, separation_in_distances * distance);
    verdict.separation = std::min(verdict.separation, separation);
    if (!is_near(motion, i, (1 + tolerance_in_separations) * separation)) continue;
    const double low = this->low(motion, i);
    if (!(separation > low / 20)) return {0, 0, false};
    const Contact found = ask(motion, i, {separation, std::nextafter(verdict.until, 2.0)});
    if (found.status != Status::free) {
      if (found.safe_until <= verdict.until) verdict.first = found;
      verdict.until = std::min(verdict.until, found.safe_until);
      verdict.is_free = false;
    } else if (distance < low && !is_farther_at_end(motion, i, distance)) {
      return {0, 0, false};
    }
  }
  return verdict;
}

}  // namespace toccata
