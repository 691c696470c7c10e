#include "toccata/dynamics/certify/certifier.hpp"

#include <algorithm>

#include "toccata/dynamics/certify/separation_rule.hpp"
#include "toccata/query/distances.hpp"

namespace toccata {

struct Certifier::Question {
  double separation, cutoff;
};

Certifier::Certifier(const Mesh& body, const World& world)
    : body_(body), world_(world), memories_(world.size()) {
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

double Certifier::low(const Motion& motion, Index i) const {
  return low_distance({body_, motion}, world_.body(i));
}

bool Certifier::is_near(const Step& step, Index i, double distance) const {
  const Box swept = swept_box(step.motion, body_.center(), body_.radius(), {0, 1});
  const Mesh& mesh = world_.body(i).mesh;
  const Box box = world_.is_fixed(i) ? world_.box(i)
                                     : swept_box(other_during(i, step.window), mesh.center(),
                                                 mesh.radius(), {0, 1});
  // Far more than what rounding does to the ends of boxes.
  const double slack = 0x1p-40 *
                       (norm1(swept.lo) + norm1(swept.hi) + norm1(box.lo) + norm1(box.hi));
  return near(swept, box, distance + slack);
}

void Certifier::list(const Motion& motion, Index i, double distance, const ProximityScope& scope,
                     std::vector<Proximity>& found) {
  const std::size_t first = found.size();
  memories_[i].list({body_, motion}, other(i), distance, found, scope);
  for (std::size_t k = first; k < found.size(); ++k) found[k].body_b = i;
}

Contact Certifier::ask(const Step& step, Index i, const Question& question) {
  Options options;
  options.separation = question.separation;
  options.tolerance = tolerance_at(question.separation);
  options.cutoff = question.cutoff;
  const Motion other = other_during(i, step.window);
  return memories_[i].first_contact({body_, step.motion}, {world_.body(i).mesh, other}, options);
}

bool Certifier::is_farther_at_end(const Step& step, Index i, double distance) const {
  const Motion end = Motion::fixed(step.motion.pose(1));
  const Motion other = Motion::fixed(world_.body(i).motion.pose(step.window.hi));
  return toccata::distance({body_, end}, {world_.body(i).mesh, other}).lower >= distance;
}

/// Distances near rounding do not shrink.
bool Certifier::keeps_low(const Step& step, const StartDistances& start) const {
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const double distance = start.of(i);
    if (is_near(step, i, distance) && distance < low(step.motion, i) &&
        !is_farther_at_end(step, i, distance))
      return false;
  }
  return true;
}

/// The start is farther than separation + tolerance, 0.8 of its distance. One of `low` or more
/// becomes no less than 2/3 of it, and one below does not shrink: all stay above low / 4, also
/// those of a beginning, which keeps half of that.
Verdict Certifier::certify(const Step& step, const StartDistances& start, double most) {
  Verdict verdict{1, most, true};
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const double separation = separation_at(start.of(i), most);
    verdict.separation = std::min(verdict.separation, separation);
    if (!is_near(step, i, separation + tolerance_at(separation))) continue;
    if (!is_above_rounding(separation, low(step.motion, i))) return {0, 0, false};
    const Contact found = ask(step, i, {separation, std::nextafter(verdict.until, 2.0)});
    if (found.status == Status::free) continue;
    if (found.safe_until <= verdict.until) verdict.first = found, verdict.body = i;
    verdict.until = std::min(verdict.until, found.safe_until);
    verdict.is_free = false;
  }
  if (verdict.is_free && !keeps_low(step, start)) return {0, 0, false};
  return verdict;
}

/// Both start at the same pose and go on at constant rates. Rotations by two vectors differ by no
/// more than the vectors do: at no time is a point of the body farther from where it was proven to
/// be than rates differ, times their arms, and rounding. Bodies of the world do the same as before,
/// at times that differ by rounding, which errors of motions include.
double Certifier::certify_beginning(const Step& whole, const Verdict& verdict,
                                    const Step& beginning, const StartDistances& start) const {
  const MotionState s = whole.motion.state(0, 1), t = beginning.motion.state(0, 1);
  const double arm = norm(body_.center() - s.pivot) + body_.radius();
  double errors = whole.motion.error(body_.reach()) + beginning.motion.error(body_.reach());
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    const Body other = world_.body(i);
    if (!world_.is_fixed(i)) errors = std::max(errors, 8 * other.motion.error(other.mesh.reach()));
  }
  const double apart = norm(t.velocity - s.velocity * verdict.until) +
                       arm * norm(t.spin - s.spin * verdict.until) + 2 * errors;
  const double kept = verdict.separation - 2 * apart;
  return kept >= verdict.separation / 2 && keeps_low(beginning, start) ? kept : 0;
}

}  // namespace toccata
