#include "toccata/dynamics/certify/pair_certifier.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {
namespace {

// For proofs that another one can replace.
constexpr Count most_work = 100'000;
// For bodies that make full turns near others: the part that was proven until then is executed.
constexpr Count most_work_of_turns = 20'000;

bool is_farther_at_end(const PairQuestion& question) {
  const Motion a = Motion::fixed(question.a.motion.pose(1));
  const Motion b = Motion::fixed(question.b.motion.pose(1));
  return distance({question.a.mesh, a}, {question.b.mesh, b}).lower >=
         question.distance * (1 - 1e-6);  // to stay is allowed, whatever rounding does to a pose
}

/// Returns whether bodies are farther apart than they move.
bool stays_far(const PairQuestion& question, double separation) {
  const double way = question.way * (1 + 1e-9), limit = 2 * (way + separation);
  return question.distance >= question.floor &&
         distance(question.a, question.b, limit).lower - way > separation * (1 + 1e-9);
}

/// Whether the balls of bodies that make full turns stay clear of the other body. A ball is a point
/// with a separation. Its proof does not depend on how often the body turns.
bool balls_stay_apart(const PairQuestion& question, double separation) {
  static const Mesh point(std::vector<Vec3d>{{0, 0, 0}}, std::vector<Face>{{0, 0, 0}}, false);
  const auto enclosed = [](const std::optional<EnclosingBall>& ball, const Body& body) {
    return ball ? Body{point, ball->center} : body;
  };
  if (!question.ball_a && !question.ball_b) return false;
  const Body a = enclosed(question.ball_a, question.a), b = enclosed(question.ball_b, question.b);
  Options options;
  options.separation = separation;
  for (const auto* ball : {&question.ball_a, &question.ball_b})
    if (*ball) options.separation += (*ball)->radius;
  options.tolerance = tolerance_at(separation);
  options.budget = most_work;
  if (!is_above_rounding(separation, low_distance(a, b))) return false;
  return first_contact(a, b, options).status == Status::free;
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
  if (question.distance >= question.floor && balls_stay_apart(question, separation)) return 1;
  const double low = low_distance(question.a, question.b) + low_in_errors * question.rounding;
  if (!is_above_rounding(separation, low)) return stays_far(question, separation) ? 1 : 0;
  Options options;
  options.separation = clear;
  options.tolerance = tolerance / 2;  // the start is farther, by 3/2 of the separation
  options.budget = most_work;
  // A body that makes full turns is near this one: a memory would not pay.
  const bool turns = question.ball_a || question.ball_b;
  Contact found;
  found.status = Status::undecided;
  if (!turns) found = question.memory.first_contact(question.a, question.b, options);
  if (found.status != Status::free) {
    options.separation = separation;
    options.tolerance = tolerance;
    options.budget = turns ? most_work_of_turns : std::numeric_limits<Count>::max();
    found = first_contact(question.a, question.b, options);
    if (found.status == Status::undecided && stays_far(question, separation)) return 1;
  }
  const bool is_free = found.status == Status::free;
  if (question.distance < std::max(low, question.floor))
    return is_free && is_farther_at_end(question) ? 1 : 0;
  return is_free ? 1 : found.safe_until;
}

}  // namespace toccata
