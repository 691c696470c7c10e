// Motions of free bodies and of links, and bounds of their travel.
#include "toccata/dynamics/world/island_motions.hpp"

namespace toccata {

void IslandMotions::start(const IslandBodies& bodies, double duration) {
  bodies_ = &bodies, duration_ = duration;
  links_.resize(bodies.robots().size());
  for (std::size_t r = 0; r < links_.size(); ++r) {
    const SimulatedRobot& robot = *bodies.robots()[r];
    links_[r].start(robot.moving(), robot.q.data(), bodies.executed.rates[r].data(), duration);
  }
}

Motion IslandMotions::motion(Index i) const {
  if (body(i).is_link()) return links_of(i).motion(body(i).link);
  return executed_motion(body(i), velocity(i), duration_);
}

std::size_t IslandMotions::common_joints(const SimulatedPair& p) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() || !b.is_link() || a.robot != b.robot) return 0;
  return bodies_->robots()[bodies_->robot_of(p.a)]->moving().common_joints(a.link, b.link);
}

std::pair<Motion, Motion> IslandMotions::of(const SimulatedPair& p) const {
  const std::size_t common = common_joints(p);
  if (common == 0) return {motion(p.a), motion(p.b)};
  const LinkMotions& own = links_of(p.a);
  return {own.motion(body(p.a).link, common), own.motion(body(p.b).link, common)};
}

/// All points of a free body are within its radius of the center of mass, which moves straight.
IslandMotions::Balls IslandMotions::balls(const SimulatedPair& p) const {
  const std::size_t common = common_joints(p);
  const auto ball = [&](Index i) -> std::optional<EnclosingBall> {
    const SimulatedBody& b = body(i);
    if (b.is_link()) return links_of(i).ball(b.link, common);
    const BodyVelocity v = velocity(i);
    if (!(norm(v.angular) * duration_ > full_turn)) return {};
    const Pose center{identity3, b.state.center};
    return EnclosingBall{Twist{center, {0, 0, 0}, v.linear * duration_, {0, 0, 0}},
                         b.radius * (1 + 0x1p-30)};
  };
  return {ball(p.a), ball(p.b)};
}

double IslandMotions::relative_travel(const SimulatedPair& p) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() && !b.is_link())
    return bodies_->relative_speed(p, bodies_->executed) * duration_;
  if (a.is_link() && b.is_link() && a.robot == b.robot)
    return links_of(p.a).relative_travel(a.link, b.link);
  // A free body turns at a constant rate about a center that moves straight, so its points need no
  // bound of accelerations.
  const auto mover = [&](Index i) -> LinkMotions::Mover {
    if (body(i).is_link()) return links_of(i).mover(body(i).link);
    const BodyVelocity v = velocity(i);
    const double swing = body(i).radius * norm(v.angular);
    return {{v.linear * duration_, swing * duration_, 0}, (norm(v.linear) + swing) * duration_, 0};
  };
  return LinkMotions::relative_travel(mover(p.a), mover(p.b));
}

double IslandMotions::travel(Index i, double part) const {
  if (body(i).is_link()) return links_of(i).travel(body(i).link, part);
  return speed(body(i), velocity(i)) * (part * duration_);
}

double IslandMotions::rounding(const SimulatedPair& p) const {
  const auto of = [&](Index i) {
    return body(i).is_link() ? links_of(i).bound(body(i).link).rounding : 0;
  };
  return of(p.a) + of(p.b);
}

}  // namespace toccata
