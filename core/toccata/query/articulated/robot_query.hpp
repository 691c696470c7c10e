// A robot on its way from one configuration to another, among the bodies of a world.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/path_starts.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {

inline double separation_of(const Separations& s, const Robot& robot, const Candidate& candidate) {
  if (candidate.pair < 0) return s.of_body(candidate.link, candidate.other);
  return s.of_links(candidate.link, robot.pairs()[candidate.pair].b);
}

struct RobotQuery {
  const Robot& robot;
  const World& world;
  LinkPoses& poses;
  const Options& options;
  const Separations* separations = nullptr;  ///< null: the options' separation is everyone's
  const PathStarts* starts = nullptr;        ///< null: pairs start with this motion
  /// By how much stages that cull pairs widen the separations.
  double tolerance = options.tolerance;

  /// Returns the options of one pair.
  Options options_of(const Candidate& candidate) const {
    Options own = options;
    if (separations) own.separation = separation_of(*separations, robot, candidate);
    if (starts) own.start = starts->of(candidate);
    return own;
  }
  /// Bounds the rounding error of distances of all pairs.
  double error_of_pairs() const {
    double of_links = 0;
    for (const Link& link : robot.links())
      of_links = std::max(of_links, rounding_error(poses.error(link), *link.mesh));
    return error_of_pair(of_links, std::max(of_links, world.error()));
  }
};

/// Returns a query by all of the options, once `poses` have started; `own` are those of `given`, or
/// a copy that the caller changes.
RobotQuery query_of(const Robot& robot, const World& world, LinkPoses& poses,
                    const RobotOptions& given, const Options& own);

/// Returns what the broad phase of a query has to find.
inline BroadQuestion broad_question(const RobotQuery& query, const RobotOptions& options) {
  return {query.options.separation + query.tolerance, options.self_contact, options.untested.get(),
          query.separations, query.tolerance};
}

/// Bounds the tolerance that any pair chooses if none is given: see `MovingPair`.
double most_tolerance(const RobotQuery& query);

}  // namespace toccata
