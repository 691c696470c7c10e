#include "toccata/narrow/advancement/staying.hpp"

namespace toccata {

HullTravel::HullTravel(const CarriedHull& hull, double time, double end) {
  const MotionState state = hull.motion.state(time, end);
  const Hull world = state.pose * hull.body;
  const Vec3d pivot = state.pose * state.pivot;
  const double h = end - time, spin = norm(state.spin), margin = hull.body.radius;
  double lever = 0, fastest = 0;
  diameter = 0;
  for (const Vec3d& corner : world.corner) {
    lever = std::max(lever, norm(corner - pivot) + margin);
    fastest = std::max(fastest, norm(velocity_at(state, corner)) + spin * margin);
    for (const Vec3d& other : world.corner)
      diameter = std::max(diameter, norm(corner - other) + 2 * margin);
  }
  const double bound = state.acceleration + (state.turning + state.spin_speed * spin) * lever;
  speed = fastest + bound * h;
  turn = (spin + state.turning * h) * h;
  deviance = bound * h * h;
}

}  // namespace toccata
