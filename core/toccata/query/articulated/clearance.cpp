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

/// A robot in a world on its way. Keeps its memory from query to query; one per thread.
class RobotSetting {
 public:
  using Who = Candidate;

  RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                           const ClearanceOptions& options);

  void look(double time, double enough, Nearby<Who>& best) {
    nearest_.look(*query_, asked_, time, enough, best);
  }
  void descend(const Who& who, const Instant& start, double enough, Nearby<Who>& best) {
    PlacedRobotPair bodies(*query_, who);
    Descent(bodies, best).run(start, enough);
  }
  const Contact& run(const Options& options) {
    asked_.options = options;
    contact_ = search_.run(query_->robot, query_->world, way_, asked_);
    return contact_.contact;
  }
  const Contact& resume(double separation) {
    contact_ = search_.resume(separation);
    return contact_.contact;
  }
  Who in_contact() const;
  Count pairs_tested() const { return contact_.pairs_tested; }

 private:
  double default_tolerance();
  RobotClearance answer(const Nearby<Who>& best, const Clearance& found);

  RobotOptions asked_;
  RobotMotion way_{};
  std::optional<RobotQuery> query_;
  LinkPoses poses_;
  Nearest nearest_;
  RobotSearch search_;
  RobotContact contact_;
};

RobotClearance RobotSetting::clearance(const Robot& robot, const World& world,
                                       const RobotMotion& motion, const ClearanceOptions& options) {
  way_ = motion;
  poses_.start(robot, motion);
  asked_ = {};
  asked_.self_contact = options.self_contact;
  asked_.untested = options.untested;
  query_.emplace(RobotQuery{robot, world, poses_, asked_.options});
  ClearanceQuestion question = options;
  if (!(question.tolerance > 0)) question.tolerance = default_tolerance();
  asked_.options.tolerance = 0.5 * question.tolerance;
  const ClearanceSearch search(*this, question);
  return answer(search.best(), search.answer());
}

double RobotSetting::default_tolerance() {
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

Candidate RobotSetting::in_contact() const {
  const std::span<const LinkPair> pairs = query_->robot.pairs();
  const Index a = contact_.link_a, b = contact_.link_b;
  Candidate candidate{0, a, contact_.body};
  if (b >= 0)
    candidate.pair =
        static_cast<Index>(std::find_if(pairs.begin(), pairs.end(),
                                        [&](const LinkPair& p) { return p.a == a && p.b == b; }) -
                           pairs.begin());
  return candidate;
}

RobotClearance RobotSetting::answer(const Nearby<Candidate>& best, const Clearance& measured) {
  RobotClearance found{measured};
  if (!best.who) return found;
  const Robot& robot = query_->robot;
  found.link_a = best.who->link;
  if (best.who->pair < 0) {
    found.body = best.who->other;
    return found;
  }
  const LinkPair& links = robot.pairs()[best.who->pair];
  found.link_b = links.b;
  const Pose root = poses_.at(robot.world_frame(links.root), best.time, 0).pose;
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
  thread_local RobotSetting setting;  // keeps its memory from query to query
  return setting.clearance(robot, world, motion, options);
}

}  // namespace toccata
