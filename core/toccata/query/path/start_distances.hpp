// Measures distances at the start of a path, for `initial="resting"`.
#pragma once

#include "toccata/query/setting/robot_in_world.hpp"

namespace toccata {

/// Measures the distances of all pairs at configuration q that are within separation + tolerance.
/// Returns null unless pairs may rest.
std::shared_ptr<const PathStarts> start_distances(const Robot& robot, const World& world,
                                                  const double* q, const RobotOptions& options);

}  // namespace toccata
