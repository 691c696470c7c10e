// A robot on its way from one configuration to another, among the bodies of a world.
#pragma once

#include "toccata/query/articulated/broad.hpp"
#include "toccata/query/articulated/link_poses.hpp"
#include "toccata/query/articulated/separations.hpp"
#include "toccata/query/world.hpp"

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

  /// What is asked about one pair.
  Options options_of(const Candidate& candidate) const {
    Options own = options;
    if (separations) own.separation = separation_of(*separations, robot, candidate);
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

}  // namespace toccata
