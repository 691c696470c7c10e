// Prepares the options of a robot's queries: separations of pairs, and pairs that need no test.
#pragma once

#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

/// Sets the separations of pairs. The largest becomes the separation of the other options.
void set_separations(RobotOptions& options, const Separations& separations);

/// Excludes the pairs in `untested`. Also excludes pairs at rest, which are links that no joint
/// moves and fixed bodies, if they are proven apart by the separations and the tolerance of
/// `options`.
void set_untested(RobotOptions& options, const Untested& untested, const Robot& robot,
                  const World& world);

}  // namespace toccata
