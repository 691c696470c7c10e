// Proofs that elements stay within a distance, by speed and by convexity.
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

bool stay_near(const HullTravel& a, const HullTravel& b, const StayingWindow& window,
               const StayingLimits& limits, bool convex) {
  const auto& [time, end, now, then] = window;
  const bool inside = window.is_inside(limits);
  const double travel = limits.near - now.distance + (limits.near - limits.inner);
  if ((a.speed + b.speed) * (end - time) * (1 + 0x1p-40) < travel) return true;
  const double slide_a = inside ? norm(then.a - now.a) : a.diameter;
  const double slide_b = inside ? norm(then.b - now.b) : b.diameter;
  const double bend = (a.turn * slide_a + b.turn * slide_b) / 4 + a.deviance + b.deviance;
  const double farthest = inside ? std::max(now.distance, then.distance) : limits.inner;
  return convex && bend * (1 + 0x1p-40) <= limits.near - farthest;
}

}  // namespace toccata
