// Articulated bodies in a simulation.
#include <algorithm>

#include "toccata/dynamics/world/simulation.hpp"

namespace toccata {

bool Simulation::read_robots() {
  bool is_elsewhere = false;
  for (SimulatedRobot& robot : robots_) {
    if (!robot.differs()) continue;
    const bool moved = robot.is_elsewhere();
    robot.q.assign(robot.body->q().begin(), robot.body->q().end());
    robot.v.assign(robot.body->v().begin(), robot.body->v().end());
    robot.tau = robot.body->tau;
    robot.lost = 0;
    place_links(robot, bodies_, frames_);
    if (moved) wake_all();  // others may have rested on it
    for (const Index i : robot.bodies) {
      wake(i);
      if (moved) bodies_[i].is_certified = false;
    }
    is_elsewhere |= moved;
  }
  return is_elsewhere;
}

bool Simulation::is_asleep(const SimulatedRobot& robot) const {
  return std::any_of(robot.bodies.begin(), robot.bodies.end(),
                     [&](Index i) { return bodies_[i].is_asleep(); });
}

/// Wakes robots that springs connect with a robot that is awake.
void Simulation::wake_by_springs() {
  for (const SimulatedRobot& robot : robots_)
    for (const Spring& spring : robot.body->springs)
      for (const SimulatedRobot& other : robots_)
        if (other.body == spring.other && !is_asleep(robot) && is_asleep(other))
          for (const Index i : other.bodies) wake(i);
}

/// Chooses the active joints, once in a step.
void Simulation::adapt_robots() {
  wake_by_springs();
  for (SimulatedRobot& robot : robots_) {
    if (is_asleep(robot)) continue;
    robot.with(robot.v).adapt(robot.choice);
    robot.v.assign(robot.body->v().begin(), robot.body->v().end());
    place_links(robot, bodies_, frames_);
  }
}

void Simulation::finish_robots() {
  for (SimulatedRobot& robot : robots_) robot.with(robot.v).pulls.clear();
}

void Simulation::stop_robot(Index i) { std::fill(robots_[i].v.begin(), robots_[i].v.end(), 0); }

void Simulation::save_start() {
  before_ = bodies_;
  before_robots_.clear();
  for (const SimulatedRobot& robot : robots_)
    before_robots_.insert(before_robots_.end(), {robot.q, robot.v, {robot.lost}});
}

void Simulation::restore_start() {
  bodies_ = before_;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    robots_[r].q = before_robots_[3 * r], robots_[r].v = before_robots_[3 * r + 1];
    robots_[r].lost = before_robots_[3 * r + 2][0];
    robots_[r].with(robots_[r].v);  // springs of other robots depend on it
  }
}

/// Springs exchange energy, so robots that they connect are in one island.
void Simulation::connect_robots() {
  for (std::size_t r = 0; r < robots_.size(); ++r) robots_[r].connected = static_cast<Index>(r);
  const auto join = [&](Index a, Index b) {
    for (SimulatedRobot& robot : robots_)
      if (robot.connected == std::max(a, b)) robot.connected = std::min(a, b);
  };
  for (const SimulatedRobot& robot : robots_)
    for (const Spring& spring : robot.body->springs)
      for (const SimulatedRobot& other : robots_)
        if (other.body == spring.other) join(robot.connected, other.connected);
}

/// The errors of these motions are those of certified motions.
void Simulation::rest_robots() {
  resting_.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const std::vector<double> none(robots_[r].v.size(), 0);
    resting_[r].start(robots_[r].tree, robots_[r].q.data(), none.data(), 0);
  }
}

Motion Simulation::resting(Index i) const {
  const SimulatedBody& body = bodies_[i];
  return body.is_link() ? resting_[body.robot].motion(body.link) : Motion::fixed(body.pose());
}

double Simulation::rounding(Index i) const {
  const SimulatedBody& body = bodies_[i];
  return body.is_link() ? resting_[body.robot].bound(body.link).rounding : 0;
}

bool Simulation::tests(Index i, Index j) const {
  const SimulatedBody &a = bodies_[i], &b = bodies_[j];
  if (a.robot >= 0 && a.robot == b.robot) return robots_[a.robot].tests(a.link, b.link);
  const auto ignores = [&](const SimulatedBody& body, Index other) {
    return body.robot >= 0 && robots_[body.robot].ignored.contains({body.link, names_[other]});
  };
  return !ignores(a, j) && !ignores(b, i);
}

const std::vector<RegionPair>& Simulation::find_pairs(std::span<const Region> regions) {
  std::vector<RegionPair>& found = sweep_.pairs(regions);
  if (!robots_.empty())
    std::erase_if(found, [&](const RegionPair& pair) { return !tests(pair.a, pair.b); });
  return found;
}

}  // namespace toccata
