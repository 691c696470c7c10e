#include "toccata/dynamics/pair_certifier.hpp"

#include <algorithm>

#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

// Of tolerances that rounding admits. A separation is at least a twentieth of what is low, and its
// tolerance a fifth of that: ten times what is admitted.
constexpr double low_in_tolerances = 1000;
// What takes more is not worth it: the part that was proven until then is executed.
constexpr double most_turn = 20;
constexpr Count most_work = 100'000;
constexpr double separation_in_distances = 2.0 / 3;
constexpr double tolerance_in_separations = 0.2;

/// Below it a distance is near rounding. What `MovingPair` refuses is a tolerance of 8 errors.
double low(const PairQuestion& question) {
  return low_in_tolerances * 8 * MovingPair(question.a, question.b, {}).error();
}

bool is_farther_at_end(const PairQuestion& question) {
  const Motion a = Motion::fixed(question.a.motion.pose(1));
  const Motion b = Motion::fixed(question.b.motion.pose(1));
  return distance({question.a.mesh, a}, {question.b.mesh, b}).lower >=
         question.distance * (1 - 1e-6);  // to stay is allowed, whatever rounding does to a pose
}

}  // namespace

/// The start is farther than separation + tolerance, 0.8 of its distance. A distance of the floor
/// or more becomes no less than 2/3 of it, and one below does not shrink.
PairVerdict certify(const PairQuestion& question) {
  if (!(question.way < 1e200)) return {0, 0};  // beyond all numbers
  const double separation = std::min(question.most, separation_in_distances * question.distance);
  // Far more than what rounding does to a sum of lengths.
  if (question.apart - question.way * (1 + 1e-9) > separation * (1 + 1e-9) &&
      question.distance >= question.floor)
    return {1, separation};
  if (question.turn > most_turn) return {0, 0};
  const double low = toccata::low(question);
  if (!(separation > low / 20)) return {0, 0};
  Options options;
  options.separation = separation;
  options.budget = most_work;
  options.tolerance = tolerance_in_separations * separation;
  // What was asked before decides which of equally true answers the memory gives: to be free is one
  // of them only, and the times of contacts are those that anybody gets.
  Contact found = question.memory.first_contact(question.a, question.b, options);
  if (found.status != Status::free) found = first_contact(question.a, question.b, options);
  const bool is_free = found.status == Status::free;
  if (question.distance < std::max(low, question.floor))
    return is_free && is_farther_at_end(question) ? PairVerdict{1, separation} : PairVerdict{0, 0};
  return {is_free ? 1 : found.safe_until, separation};
}

}  // namespace toccata
