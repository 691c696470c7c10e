// Preparation of the options of a robot's queries: the separations of pairs, and the pairs that
// need no test.
#pragma once

#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

/// Sets the separations of pairs of a robot. The largest separation of its links becomes the
/// separation of the other options. `links` is the number of links.
void set_separations(RobotOptions& options, const Separations& separations, Index links);

/// Excludes the pairs in `ignored`. Also excludes pairs at rest, which are links that no joint
/// moves and fixed bodies, if they are proven apart by the separations and the tolerance of
/// `options`.
void set_ignored(RobotOptions& options, const IgnoredPairs& ignored, const Robot& robot,
                 const BodySet& world);

}  // namespace toccata
