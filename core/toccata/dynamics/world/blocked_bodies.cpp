// Blocked bodies: if no further motion of a pair is proven, both bodies stop for the rest of the
// step and lose their velocity.
//
// The clock of a kinematic body stands meanwhile. It waits instead of crushing other bodies,
// and continues its given motion from the same time in the next step. A link stops with all of its
// robot.
#include <algorithm>

#include "toccata/dynamics/world/island_step.hpp"

namespace toccata {

Count IslandBodies::hold(Index i) {
  const Index k = slot(i);
  if (k < 0 || body(i).is_asleep() || held_[k]) return 0;
  const auto stop = [&](Index body) {
    held_[slot(body)] = true;
    all_[body].state.velocity = all_[body].state.spin = {0, 0, 0};
  };
  stop(i);
  if (!body(i).is_link()) return 1;
  SimulatedRobot& robot = *robots_[robot_of(i)];
  for (const Index link : links_[robot_of(i)]) stop(index(link));
  std::fill(robot.v.begin(), robot.v.end(), 0);
  return robot.moving_links;
}

/// Stops bodies for the rest of the step, except for pushes, if at most `part` of the motion of one
/// of their pairs was proven. Returns whether there are new ones.
bool IslandStep::hold_blocked(double part) {
  Count more = 0;
  for (std::size_t k = 0; k < until_.size(); ++k)
    if (!(until_[k] > part)) more += bodies_.hold(pairs_[k]->a) + bodies_.hold(pairs_[k]->b);
  report_.stopped += more;
  return more > 0;
}

}  // namespace toccata
