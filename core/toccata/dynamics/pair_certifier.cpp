#include "toccata/dynamics/pair_certifier.hpp"

#include <algorithm>

#include "toccata/dynamics/separation_rule.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

// What takes more is not worth it: the part that was proven until then is executed.
constexpr double most_certified_turn = 20;
constexpr Count most_work = 100'000;

bool is_farther_at_end(const PairQuestion& question) {
  const Motion a = Motion::fixed(question.a.motion.pose(1));
  const Motion b = Motion::fixed(question.b.motion.pose(1));
  return distance({question.a.mesh, a}, {question.b.mesh, b}).lower >=
         question.distance * (1 - 1e-6);  // to stay is allowed, whatever rounding does to a pose
}

}  // namespace

/// The start is farther than separation + tolerance, 0.8 of its distance. A distance of the floor
/// or more becomes no less than 2/3 of it, and one below does not shrink.
double certify(const PairQuestion& question) {
  if (!(question.way < 1e200)) return 0;  // beyond all numbers
  const double separation = separation_at(question.distance, question.most);
  // Far more than what rounding does to a sum of lengths.
  if (question.apart - question.way * (1 + 1e-9) > separation * (1 + 1e-9) &&
      question.distance >= question.floor)
    return 1;
  if (question.turn > most_certified_turn) return 0;
  const double low = low_distance(question.a, question.b) + low_in_errors * question.rounding;
  if (!is_above_rounding(separation, low)) return 0;
  Options options;
  options.separation = separation;
  options.budget = most_work;
  options.tolerance = tolerance_at(separation);
  // What was asked before decides which of equally true answers the memory gives: to be free is one
  // of them only, and the times of contacts are those that anybody gets.
  Contact found = question.memory.first_contact(question.a, question.b, options);
  if (found.status != Status::free) found = first_contact(question.a, question.b, options);
  const bool is_free = found.status == Status::free;
  if (question.distance < std::max(low, question.floor))
    return is_free && is_farther_at_end(question) ? 1 : 0;
  return is_free ? 1 : found.safe_until;
}

}  // namespace toccata
