// Motions of free bodies and of links, and bounds of their travel.
#include "toccata/dynamics/world/island_motions.hpp"

#include <algorithm>

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
  return speed(body(i), velocity(i)) * (part * duration_);
}

/// Contacts may have broken up groups since the start of the step. A group of the start then
/// travels at most as far as the farthest of its parts.
void IslandMotions::add_travel(std::size_t r, double part) const {
  SimulatedRobot& robot = *bodies_->robots()[r];
  const LinkTree &tree = robot.moving(), &start = robot.reach_tree();
  std::vector<double> travel(tree.groups().size(), 0);
  for (std::size_t g = 0; g < travel.size(); ++g)
    if (tree.groups()[g].site >= 0) travel[g] = links_[r].travel(tree.groups()[g].site, part);
  if (tree.id() != start.id()) {
    std::vector<double> most(start.groups().size(), 0);
    for (std::size_t i = 0; i < tree.links().size(); ++i) {
      double& at = most[start.links()[i].joint + 1];
      at = std::max(at, travel[tree.links()[i].joint + 1]);
    }
    travel = std::move(most);
  }
  for (std::size_t g = 0; g < travel.size(); ++g) robot.reach.travel[g] += travel[g];
}

double IslandMotions::rounding(const SimulatedPair& p) const {
  const auto of = [&](Index i) {
    return body(i).is_link() ? links_of(i).bound(body(i).link).rounding : 0;
  };
  return of(p.a) + of(p.b);
}

}  // namespace toccata
