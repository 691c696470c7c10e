// An upper bound is a distance measured at some time, a lower bound a proof that nothing comes
// within a separation. The distances at a few times, and a descent from the least of them, give a
// first upper bound; then one search for a first contact runs at a separation just below it. Where
// it finds something closer, the descent goes on from there and the search from where it is, at a
// smaller separation: what was proven for the larger one holds. So the whole costs little more than
// the one search that proves the final bound.
#include "toccata/query/articulated/clearance.hpp"

#include <algorithm>

#include "toccata/query/articulated/nearest.hpp"
#include "toccata/query/articulated/scaled.hpp"
#include "toccata/query/articulated/search.hpp"

namespace toccata {
namespace {

constexpr int samples = 2;  // intervals between the times that are looked at first

/// Keeps its memory from query to query; one per thread.
class ClearanceSearch {
 public:
  RobotClearance run(const Robot& robot, const World& world, const RobotMotion& motion,
                     const ClearanceOptions& options);

 private:
  double default_tolerance() const;
  /// The separation to be proven for the bound that is known. A little more than has to be, so that
  /// rounding does not make the bounds differ by more than the tolerance.
  double target() const { return std::min(limit_, best_.upper - tolerance_ * (1 - 0x1p-20)); }
  bool prove(double share, Count budget);
  void come_closer(const RobotContact& contact, double bound);
  RobotClearance answer();

  double tolerance_ = 0, limit_ = 0, lower_ = 0;
  RobotOptions asked_;
  RobotMotion way_{};
  std::optional<RobotQuery> query_;
  LinkPoses poses_;
  Nearest nearest_;
  RobotSearch search_;
  Nearby best_{};
  RobotClearance found_;
};

RobotClearance ClearanceSearch::run(const Robot& robot, const World& world,
                                    const RobotMotion& motion, const ClearanceOptions& options) {
  way_ = motion;
  poses_.start(robot, motion);
  asked_ = {};
  asked_.self_contact = options.self_contact;
  asked_.untested = options.untested;
  query_.emplace(RobotQuery{robot, world, poses_, asked_.options});
  limit_ = options.limit;
  tolerance_ = options.tolerance > 0 ? options.tolerance : default_tolerance();
  asked_.options.tolerance = 0.5 * tolerance_;
  lower_ = 0;
  found_ = {};
  best_ = {.upper = limit_ + tolerance_};
  for (int k = 0; k <= samples; ++k)
    nearest_.look(*query_, asked_, static_cast<double>(k) / samples, tolerance_, best_);
  if (best_.candidate) nearest_.descend(*query_, 1.0 / samples, tolerance_, best_);
  // Most of the budget is for the whole proof; a weaker one is better than none.
  if (!prove(1, options.budget - options.budget / 2) && !prove(0.5, options.budget / 4))
    prove(0.125, options.budget / 4);
  return answer();
}

double ClearanceSearch::default_tolerance() const {
  double radius = 0, reach = 0, error = 0;
  for (const Link& link : query_->robot.links()) {
    radius = std::max(radius, link.mesh->radius());
    reach = std::max(reach, link.mesh->reach());
    error = std::max(error, poses_.error(link));
  }
  for (std::size_t i = 0; i < query_->world.size(); ++i) {
    const Body body = query_->world.body(static_cast<Index>(i));
    reach = std::max(reach, body.mesh.reach());
    error = std::max(error, body.motion.error(body.mesh.reach()));
  }
  // Not too small for any pair: `MovingPair` wants 8 errors, of half of it.
  return std::max(1e-4 * radius, 128 * (error + 0x1p-50 * reach));
}

/// Whether all pairs stay farther apart than a share of the target, which may sink meanwhile.
bool ClearanceSearch::prove(double share, Count budget) {
  if (!(target() > 0)) return true;
  // With nothing in sight, all there is to prove is that there is nothing.
  if (std::isinf(target())) return lower_ = best_.upper, true;
  asked_.options.separation = share * target();
  asked_.options.budget = std::max<Count>(budget, 1);
  RobotContact contact = search_.run(query_->robot, query_->world, way_, asked_);
  while (contact.contact.status == Status::contact ||
         contact.contact.status == Status::initial_overlap) {
    come_closer(contact, asked_.options.separation + asked_.options.tolerance);
    if (!(target() > 0)) break;
    asked_.options.separation = share * target();
    contact = search_.resume(asked_.options.separation);
  }
  found_.stats += contact.contact.stats;
  found_.pairs_tested = std::max(found_.pairs_tested, contact.pairs_tested);
  if (contact.contact.status == Status::free) lower_ = asked_.options.separation;
  return contact.contact.status != Status::undecided;
}

/// The two bodies in contact are within `bound` of each other: measures, and looks around.
void ClearanceSearch::come_closer(const RobotContact& contact, double bound) {
  const std::span<const LinkPair> pairs = query_->robot.pairs();
  Candidate candidate{0, contact.link_a, contact.body};
  if (contact.link_b >= 0)
    candidate.pair = static_cast<Index>(std::find_if(pairs.begin(), pairs.end(),
                                                     [&](const LinkPair& p) {
                                                       return p.a == contact.link_a &&
                                                              p.b == contact.link_b;
                                                     }) -
                                        pairs.begin());
  RobotPair bodies(*query_, candidate);
  if (contact.contact.element_a < 0) {  // one starts inside of the other
    best_ = {0, 0, candidate};
    best_.closest.distance = 0;
    return;
  }
  nearest_.measure(*query_, bodies, contact.contact.toc, tolerance_, best_);
  nearest_.descend(*query_, 0.5 / samples, tolerance_, best_);
  best_.upper = std::min(best_.upper, bound);
}

RobotClearance ClearanceSearch::answer() {
  RobotClearance found = found_;
  found.lower = lower_;
  found.tolerance = tolerance_;
  if (!best_.candidate) return found;
  const Robot& robot = query_->robot;
  const Candidate& candidate = *best_.candidate;
  found.upper = best_.upper;
  found.time = best_.time;
  found.link_a = candidate.link;
  found.element_a = best_.element_a;
  found.element_b = best_.element_b;
  found.closest = best_.closest;
  if (candidate.pair < 0) {
    found.body = candidate.other;
    return found;
  }
  const LinkPair& links = robot.pairs()[candidate.pair];
  found.link_b = links.b;
  const Pose root = poses_.at(robot.world_frame(links.root), best_.time, 0).pose;
  found.closest.point_a = root * found.closest.point_a;
  found.closest.point_b = root * found.closest.point_b;
  return found;
}

}  // namespace

RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                         const ClearanceOptions& options) {
  if (const int exponent = scaling_of(robot, world, motion)) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    return scaled_back(
        clearance(setting.robot(), setting.world(), motion, scaled(options, exponent)), options,
        exponent);
  }
  thread_local ClearanceSearch search;  // keeps its memory from query to query
  return search.run(robot, world, motion, options);
}

}  // namespace toccata
