#include "toccata/dynamics/certify/pair_certifier.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

// For proofs with an alternative.
constexpr Count usual_budget = 100'000;
// For bodies that make full turns near others: the portion proven within the budget is executed.
constexpr Count budget_of_turns = 20'000;

bool is_farther_at_end(const PairMotion& pair) {
  const Motion a = Motion::fixed(pair.a.motion.pose(1));
  const Motion b = Motion::fixed(pair.b.motion.pose(1));
  return distance({pair.a.mesh, a}, {pair.b.mesh, b}).lower >=
         pair.distance * (1 - 1e-6);  // tolerates the rounding of poses of bodies at rest
}

/// Returns whether bodies are farther apart than they move.
bool stays_far(const PairMotion& pair, double separation) {
  const double travel = pair.travel * (1 + 1e-9), limit = 2 * (travel + separation);
  return pair.distance >= pair.floor &&
         distance(pair.a, pair.b, limit).lower - travel > separation * (1 + 1e-9);
}

/// Returns whether the balls of bodies that make full turns stay clear of the other body. A ball is
/// a point with a separation, so this proof does not depend on the number of turns.
bool balls_stay_apart(const PairMotion& pair, double separation) {
  static const Mesh point(std::vector<Vec3d>{{0, 0, 0}}, std::vector<Face>{{0, 0, 0}}, false);
  const auto enclosed = [](const std::optional<EnclosingBall>& ball, const Body& body) {
    return ball ? Body{point, ball->center} : body;
  };
  if (!pair.ball_a && !pair.ball_b) return false;
  const Body a = enclosed(pair.ball_a, pair.a), b = enclosed(pair.ball_b, pair.b);
  Options options;
  options.separation = separation;
  for (const auto* ball : {&pair.ball_a, &pair.ball_b})
    if (*ball) options.separation += (*ball)->radius;
  options.tolerance = tolerance_at(separation);
  options.budget = usual_budget;
  if (!is_above_rounding(separation, resolution_of(a, b))) return false;
  return first_contact(a, b, options).status == Status::free;
}

}  // namespace

/// Proof that distances never shrink below 2/3 of the floor. The motion starts at more than
/// separation + tolerance, which is 0.8 of its distance. A distance above the floor therefore ends
/// above 2/3 of it, and a smaller one does not shrink.
///
/// The answer does not depend on coherence data. The first query uses coherence, and asks for the
/// larger separation + tolerance. If that is free, the query without coherence is free, too, and
/// can be skipped. Otherwise only the query without coherence decides.
double certify(const PairMotion& pair) {
  if (!(pair.travel < 1e200)) return 0;  // overflow
  const double separation = separation_at(pair.distance, pair.most_separation);
  const double tolerance = tolerance_at(separation), clear = separation + tolerance;
  // Far larger than the rounding errors of sums of lengths.
  if (pair.proven_distance - pair.travel * (1 + 1e-9) > clear * (1 + 1e-9) &&
      pair.distance >= pair.floor)
    return 1;
  if (pair.distance >= pair.floor && balls_stay_apart(pair, separation)) return 1;
  const double resolution = resolution_of(pair.a, pair.b) + resolution_in_errors * pair.rounding;
  if (!is_above_rounding(separation, resolution)) return stays_far(pair, separation) ? 1 : 0;
  Options options;
  options.separation = clear;
  options.tolerance = tolerance / 2;  // the start is farther, by 3/2 of the separation
  options.budget = usual_budget;
  // Coherence does not pay for a body that makes full turns near another one.
  const bool turns = pair.ball_a || pair.ball_b;
  Contact found;
  found.status = Status::undecided;
  if (!turns) found = pair.coherence.first_contact(pair.a, pair.b, options);
  if (found.status != Status::free) {
    options.separation = separation;
    options.tolerance = tolerance;
    options.budget = turns ? budget_of_turns : std::numeric_limits<Count>::max();
    found = first_contact(pair.a, pair.b, options);
    if (found.status == Status::undecided && stays_far(pair, separation)) return 1;
  }
  const bool is_free = found.status == Status::free;
  if (pair.distance < std::max(resolution, pair.floor))
    return is_free && is_farther_at_end(pair) ? 1 : 0;
  return is_free ? 1 : found.safe_until;
}

}  // namespace toccata
