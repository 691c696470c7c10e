// The proofs of both certifiers, by first-contact queries of each pair.
#include "toccata/dynamics/certify/certifier.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "toccata/query/distances.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {
namespace {

// For proofs with an alternative.
constexpr Count usual_budget = 100'000;
// For bodies that make full turns near others: the portion proven within the budget is executed.
constexpr Count budget_of_turns = 20'000;

/// Returns the distance of two bodies at given times of their motions, as a lower bound.
double distance_at(const Body& a, double time_a, const Body& b, double time_b) {
  const Motion at_a = Motion::fixed(a.motion.pose(time_a));
  const Motion at_b = Motion::fixed(b.motion.pose(time_b));
  return distance({a.mesh, at_a}, {b.mesh, at_b}).lower;
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
  if (pair.distance < std::max(resolution, pair.floor)) {
    const double least = pair.distance * (1 - 1e-6);  // poses of bodies at rest are rounded
    return is_free && distance_at(pair.a, 1, pair.b, 1) >= least ? 1 : 0;
  }
  return is_free ? 1 : found.safe_until;
}

Certifier::Certifier(const Mesh& body, const BodySet& world)
    : body_(body), world_(world), coherence_(world.size()) {
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    still_.push_back(Motion::fixed(world.body(i).motion.pose(0)));
}

void Certifier::set_time(double time) {
  if (time == time_) return;
  time_ = time;
  for (Index i = 0; i < static_cast<Index>(size()); ++i)
    if (!world_.is_fixed(i)) still_[i] = Motion::fixed(world_.body(i).motion.pose(time));
}

Motion Certifier::other_during(Index i, const Interval& window) const {
  if (world_.is_fixed(i) || !(window.hi > window.lo)) return still_[i];
  return world_.body(i).motion.part(window);
}

double Certifier::resolution(const Motion& motion, Index i) const {
  return resolution_of({body_, motion}, world_.body(i));
}

bool Certifier::is_within(const WorldMotion& moving, Index i, double distance) const {
  const Box swept = swept_box(moving.motion, body_.center(), body_.radius(), {0, 1});
  const Mesh& mesh = world_.body(i).mesh;
  const Box box = world_.is_fixed(i) ? world_.box(i)
                                     : swept_box(other_during(i, moving.window), mesh.center(),
                                                 mesh.radius(), {0, 1});
  // Far larger than the rounding errors of the corners of boxes.
  const double slack = 0x1p-40 *
                       (norm1(swept.lo) + norm1(swept.hi) + norm1(box.lo) + norm1(box.hi));
  return near(swept, box, distance + slack);
}

void Certifier::list_proximities(const Motion& motion, Index i, double distance,
                                 const ProximityScope& scope, std::vector<Proximity>& found) {
  const std::size_t first = found.size();
  coherence_[i].list({body_, motion}, other(i), distance, found, scope);
  for (std::size_t k = first; k < found.size(); ++k) found[k].body_b = i;
}

Contact Certifier::query(const WorldMotion& moving, Index i, double separation, double cutoff) {
  Options options;
  options.separation = separation;
  options.tolerance = tolerance_at(separation);
  options.cutoff = cutoff;
  const Motion other = other_during(i, moving.window);
  return coherence_[i].first_contact({body_, moving.motion}, {world_.body(i).mesh, other}, options);
}

/// Returns whether distances below the resolution do not shrink.
bool Certifier::keeps_small_distances(const WorldMotion& moving,
                                      const StartDistances& start) const {
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const double distance = start.of(i);
    if (is_within(moving, i, distance) && distance < resolution(moving.motion, i) &&
        !(distance_at({body_, moving.motion}, 1, world_.body(i), moving.window.hi) >= distance))
      return false;
  }
  return true;
}

/// Proof that all distances stay above a quarter of the resolution. The motion starts at more than
/// separation + tolerance, which is 0.8 of its distance. A distance above the resolution therefore
/// ends above 2/3 of it, and a smaller one does not shrink. The beginning of a motion keeps at
/// least half of the separation.
Certificate Certifier::certify(const WorldMotion& moving, const StartDistances& start,
                               double most_separation) {
  Certificate certificate{1, most_separation, true};
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const double separation = separation_at(start.of(i), most_separation);
    certificate.separation = std::min(certificate.separation, separation);
    if (!is_within(moving, i, separation + tolerance_at(separation))) continue;
    if (!is_above_rounding(separation, resolution(moving.motion, i))) return {0, 0, false};
    const Contact found = query(moving, i, separation, std::nextafter(certificate.until, 2.0));
    if (found.status == Status::free) continue;
    if (found.safe_until <= certificate.until) certificate.first = found, certificate.body = i;
    certificate.until = std::min(certificate.until, found.safe_until);
    certificate.is_free = false;
  }
  if (certificate.is_free && !keeps_small_distances(moving, start)) return {0, 0, false};
  return certificate;
}

/// Proof of the remaining separation. Both motions start at the same pose and have constant rates,
/// and rotations by two rotation vectors differ by at most the difference of the vectors. At all
/// times, a point of the body is therefore within the difference of the rates, times arms, plus
/// rounding, of its certified position. Bodies of the world repeat their motions at times that
/// differ by rounding, which the errors of motions include.
double Certifier::certify_beginning(const WorldMotion& whole, const Certificate& certificate,
                                    const WorldMotion& beginning,
                                    const StartDistances& start) const {
  const MotionState s = whole.motion.state(0, 1), t = beginning.motion.state(0, 1);
  const double arm = norm(body_.center() - s.pivot) + body_.radius();
  double errors = whole.motion.error(body_.reach()) + beginning.motion.error(body_.reach());
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const Body other = world_.body(i);
    if (!world_.is_fixed(i)) errors = std::max(errors, 8 * other.motion.error(other.mesh.reach()));
  }
  const double apart = norm(t.velocity - s.velocity * certificate.until) +
                       arm * norm(t.spin - s.spin * certificate.until) + 2 * errors;
  const double kept = certificate.separation - 2 * apart;
  return kept >= certificate.separation / 2 && keeps_small_distances(beginning, start) ? kept : 0;
}

}  // namespace toccata
