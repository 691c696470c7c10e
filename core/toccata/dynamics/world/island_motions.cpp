// Motions that the bodies of an island are about to execute, and bounds on how far these take them.
#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

void IslandBodies::start_motions(double duration) {
  motions_.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r)
    motions_[r].start(robots_[r]->tree, robots_[r]->q.data(), executed.rates[r].data(), duration);
}

Motion IslandBodies::motion(Index i, double duration) const {
  if (body(i).is_link()) return motions_[robot_of(i)].motion(body(i).link);
  return executed_motion(body(i), velocity(executed, i), duration);
}

std::size_t IslandBodies::common_joints(const SimulatedPair& p) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() || !b.is_link() || a.robot != b.robot) return 0;
  return robots_[robot_of(p.a)]->tree.common_joints(a.link, b.link);
}

std::pair<Motion, Motion> IslandBodies::motions(const SimulatedPair& p, double duration) const {
  const std::size_t common = common_joints(p);
  if (common == 0) return {motion(p.a, duration), motion(p.b, duration)};
  const LinkMotions& own = motions_[robot_of(p.a)];
  return {own.motion(body(p.a).link, common), own.motion(body(p.b).link, common)};
}

/// All points of a free body are within its radius of the center of mass, which moves straight.
IslandBodies::Balls IslandBodies::balls(const SimulatedPair& p, double duration) const {
  const std::size_t common = common_joints(p);
  const auto ball = [&](Index i) -> std::optional<EnclosingBall> {
    const SimulatedBody& b = body(i);
    if (b.is_link()) return motions_[robot_of(i)].ball(b.link, common);
    const BodyVelocity v = velocity(executed, i);
    if (!(norm(v.angular) * duration > full_turn)) return {};
    const Pose center{identity3, b.state.center};
    return EnclosingBall{Twist{center, {0, 0, 0}, v.linear * duration, {0, 0, 0}},
                         b.radius * (1 + 0x1p-30)};
  };
  return {ball(p.a), ball(p.b)};
}

double IslandBodies::relative_travel(const SimulatedPair& p, double duration) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() && !b.is_link()) return relative_speed(p, executed) * duration;
  if (a.is_link() && b.is_link() && a.robot == b.robot)
    return motions_[robot_of(p.a)].relative_travel(a.link, b.link);
  // A free body turns at a constant rate about a center that moves straight, so its points need no
  // bound of accelerations.
  const auto mover = [&](Index i) -> LinkMotions::Mover {
    if (body(i).is_link()) return motions_[robot_of(i)].mover(body(i).link);
    const BodyVelocity v = velocity(executed, i);
    const double swing = body(i).radius * norm(v.angular);
    return {{v.linear * duration, swing * duration, 0}, (norm(v.linear) + swing) * duration, 0};
  };
  return LinkMotions::relative_travel(mover(p.a), mover(p.b));
}

double IslandBodies::travel(Index i, double duration, double part) const {
  if (body(i).is_link()) return motions_[robot_of(i)].travel(body(i).link, part);
  return speed(body(i), velocity(executed, i)) * (part * duration);
}

double IslandBodies::rounding(const SimulatedPair& p) const {
  const auto of = [&](Index i) {
    return body(i).is_link() ? motions_[robot_of(i)].bound(body(i).link).rounding : 0;
  };
  return of(p.a) + of(p.b);
}

}  // namespace toccata
