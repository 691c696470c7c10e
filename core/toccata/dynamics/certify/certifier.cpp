#include "toccata/dynamics/certify/certifier.hpp"

#include <algorithm>

#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/query/rigid/distance.hpp"

namespace toccata {

struct Certifier::Question {
  double separation, cutoff;
};

Certifier::Certifier(const Mesh& body, const World& world)
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
                                 const NearScope& scope, std::vector<Proximity>& found) {
  const std::size_t first = found.size();
  coherence_[i].list({body_, motion}, other(i), distance, found, scope);
  for (std::size_t k = first; k < found.size(); ++k) found[k].body_b = i;
}

Contact Certifier::query(const WorldMotion& moving, Index i, const Question& question) {
  Options options;
  options.separation = question.separation;
  options.tolerance = tolerance_at(question.separation);
  options.cutoff = question.cutoff;
  const Motion other = other_during(i, moving.window);
  return coherence_[i].first_contact({body_, moving.motion}, {world_.body(i).mesh, other}, options);
}

bool Certifier::is_farther_at_end(const WorldMotion& moving, Index i, double distance) const {
  const Motion end = Motion::fixed(moving.motion.pose(1));
  const Motion other = Motion::fixed(world_.body(i).motion.pose(moving.window.hi));
  return toccata::distance({body_, end}, {world_.body(i).mesh, other}).lower >= distance;
}

/// Returns whether distances below the resolution do not shrink.
bool Certifier::keeps_small_distances(const WorldMotion& moving,
                                      const StartDistances& start) const {
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const double distance = start.of(i);
    if (is_within(moving, i, distance) && distance < resolution(moving.motion, i) &&
        !is_farther_at_end(moving, i, distance))
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
    const Contact found = query(moving, i, {separation, std::nextafter(certificate.until, 2.0)});
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
