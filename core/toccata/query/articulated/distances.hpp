// How far the links of a robot are from each other and from the bodies of a world, pair by pair.
#pragma once

#include <vector>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/walk/distance.hpp"

namespace toccata {

/// Two bodies whose distance is measured: links, or a link and a body of the world.
struct MeasuredPair {
  Index link;
  Index other;      ///< the other link, or the number of links plus a body of the world
  Index pair = -1;  ///< of `Robot::pairs`; -1 for a body of the world
};

/// All pairs that are tested: those of links first.
std::vector<MeasuredPair> measured_pairs(const Robot& robot, const World& world,
                                         const Untested* untested);

/// Rows of configurations, which have been checked.
struct Configurations {
  const double* rows;
  std::size_t count;
};

/// Row by row, one distance for each of `pairs`. Those of `limit` and more are infinite, and have
/// neither points nor a normal. The outcome does not depend on the number of threads.
std::vector<Distance> distances(const Robot& robot, const World& world,
                                const std::vector<MeasuredPair>& pairs, const Configurations& q,
                                double limit, unsigned threads);

}  // namespace toccata
