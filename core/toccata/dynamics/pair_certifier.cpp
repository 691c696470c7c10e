#include "toccata/dynamics/pair_certifier.hpp"

#include <algorithm>
#include <limits>

#include "toccata/dynamics/separation_rule.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

constexpr double most_certified_turn = 20;
// For a memory. The question that it leaves open is answered in any case.
constexpr Count most_work = 100'000;

bool is_farther_at_end(const PairQuestion& question) {
  const Motion a = Motion::fixed(question.a.motion.pose(1));
  const Motion b = Motion::fixed(question.b.motion.pose(1));
  return distance({question.a.mesh, a}, {question.b.mesh, b}).lower >=
         question.distance * (1 - 1e-6);  // to stay is allowed, whatever rounding does to a pose
}

/// Whether bodies are farther apart than they move.
bool stays_far(const PairQuestion& question, double separation) {
  const double way = question.way * (1 + 1e-9), limit = 2 * (way + separation);
  return question.distance >= question.floor &&
         distance(question.a, question.b, limit).lower - way > separation * (1 + 1e-9);
}

}  // namespace

/// The start is farther than separation + tolerance, 0.8 of its distance. A distance of the floor
/// or more becomes no less than 2/3 of it, and one below does not shrink.
///
/// The answer does not depend on what the memory knows. The memory is asked whether bodies stay
/// farther apart than separation + tolerance. Where it proves that, a question without a memory has
/// one answer only, which is free; where it does not, that question is asked.
double certify(const PairQuestion& question) {
  if (!(question.way < 1e200)) return 0;  // beyond all numbers
  const double separation = separation_at(question.distance, question.most);
  const double tolerance = tolerance_at(separation), clear = separation + tolerance;
  // Far more than what rounding does to a sum of lengths.
  if (question.apart - question.way * (1 + 1e-9) > clear * (1 + 1e-9) &&
      question.distance >= question.floor)
    return 1;
  if (question.turn > most_certified_turn) return stays_far(question, separation) ? 1 : 0;
  const double low = low_distance(question.a, question.b) + low_in_errors * question.rounding;
  if (!is_above_rounding(separation, low)) return stays_far(question, separation) ? 1 : 0;
  Options options;
  options.separation = clear;
  options.tolerance = tolerance / 2;  // the start is farther, by 3/2 of the separation
  options.budget = most_work;
  Contact found = question.memory.first_contact(question.a, question.b, options);
  if (found.status != Status::free) {
    options.separation = separation;
    options.tolerance = tolerance;
    options.budget = std::numeric_limits<Count>::max();
    found = first_contact(question.a, question.b, options);
  }
  const bool is_free = found.status == Status::free;
  if (question.distance < std::max(low, question.floor))
    return is_free && is_farther_at_end(question) ? 1 : 0;
  return is_free ? 1 : found.safe_until;
}

}  // namespace toccata
