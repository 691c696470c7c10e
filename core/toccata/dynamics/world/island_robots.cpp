// Robots of an island: forces, limits, and motions of their links.
#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {
void place_links(const SimulatedRobot& robot, std::span<SimulatedBody> bodies,
                 std::vector<MovingFrame>& frames) {
  robot.tree.frames(robot.q.data(), robot.v.data(), frames);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    SimulatedBody& body = bodies[robot.bodies[i]];
    const MovingFrame link = robot.tree.link(static_cast<Index>(i), frames);
    body.state = {link.pose.rotation, link.pose * body.mass.center, link.velocity, link.spin};
  }
}

/// Forces on links act in addition to the forces that the articulated body knows.
void IslandBodies::kick(const SimulatedRobot& robot, double duration, std::vector<double>& rates,
                        Kick half) {
  ArticulatedBody& body = robot.with(rates);
  body.kick(duration, half);
  pulls_.clear();
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const SimulatedBody& link = all_[robot.bodies[i]];
    if (!link.is_link() || (norm1(link.force) == 0 && norm1(link.torque) == 0)) continue;
    pulls_.push_back({robot.tree.links()[i].joint, link.state.center, link.force * duration,
                      link.torque * duration});
  }
  if (!pulls_.empty()) body.apply(pulls_);
  rates.assign(body.v().begin(), body.v().end());
}

void IslandBodies::load_robots(double push) {
  velocities.links = has_robots() ? &mobilities_ : nullptr;
  velocities.rates.resize(robots_.size());
  before_.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    std::vector<double>& rates = velocities.rates[r];
    rates = robots_[r]->v;
    if (push > 0) {
      pushed_[r] = stopped_[r] = false;
      before_[r] = robots_[r]->with(rates).energy();
    }
    if (!robot_moves(r)) std::fill(rates.begin(), rates.end(), 0);
    else if (push > 0) kick(*robots_[r], push, rates, Kick::before_move);
    move_links(r, velocities);
    for (const Index link : robots_[r]->bodies)
      if (slot(link) >= 0) velocities.inverse_mass[slot(link)] = robot_moves(r) ? 1 : 0;
  }
}

bool IslandBodies::stop_at_limits(double duration) {
  bool any = false;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    std::vector<double>& rates = velocities.rates[r];
    if (!robot_moves(r)) continue;
    ArticulatedBody& body = robots_[r]->with(rates);
    body.stop_at_limits(duration);
    if (std::equal(rates.begin(), rates.end(), body.v().begin())) continue;
    rates.assign(body.v().begin(), body.v().end());
    move_links(r, velocities);
    any = stopped_[r] = true;
  }
  return any;
}

/// Omits the accelerations of links that turn at constant rates.
void IslandBodies::find_link_accelerations(double duration) {
  link_acceleration_.assign(count(), {0, 0, 0});
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    if (!robot_moves(r)) continue;
    const SimulatedRobot& robot = *robots_[r];
    std::vector<double> change = robot.v;
    kick(robot, duration, change, Kick::after_move);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = (change[i] - robot.v[i]) / duration;
    robot.tree.frames(robot.q.data(), change.data(), frames_);
    for (std::size_t i = 0; i < robot.bodies.size(); ++i)
      if (const Index k = slot(robot.bodies[i]); k >= 0)
        link_acceleration_[k] = robot.tree.link(static_cast<Index>(i), frames_).velocity;
  }
}

void IslandBodies::move_links(std::size_t r, BodyVelocities& all) {
  const SimulatedRobot& robot = *robots_[r];
  robot.tree.frames(robot.q.data(), all.rates[r].data(), frames_);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Index k = slot(robot.bodies[i]);
    if (k < 0) continue;
    const MovingFrame link = robot.tree.link(static_cast<Index>(i), frames_);
    all.velocity[k] = link.velocity, all.spin[k] = link.spin;
  }
}

void IslandBodies::propose(std::size_t r, const std::vector<double>& rates) {
  ArticulatedBody& body = *robots_[r]->body;
  body.set(robots_[r]->q, rates);
  for (BodyVelocities* const all : {&velocities, &executed}) {
    all->rates[r].assign(body.v().begin(), body.v().end());
    move_links(r, *all);
  }
}

/// Displacements follow from the poses of links at the end, not from their velocities.
void IslandBodies::displace_links(std::size_t r, const BodyVelocities& all, double duration) {
  const SimulatedRobot& robot = *robots_[r];
  end_.resize(robot.q.size());
  robot.tree.advance(robot.q.data(), all.rates[r].data(), duration, end_.data());
  robot.tree.frames(end_.data(), all.rates[r].data(), frames_);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Index k = slot(robot.bodies[i]);
    if (k < 0) continue;
    const Pose end = robot.tree.link(static_cast<Index>(i), frames_).pose;
    const SimulatedBody& link = at(k);
    displaced_[k].turn = end.rotation * transposed(link.state.rotation);
    displaced_[k].by = end * link.mass.center - link.state.center;
  }
}

/// Moves all robots before forces act again, because springs depend on both ends. Returns the
/// energy that pushes and forces add to robots.
double IslandBodies::execute_robots(double duration, double push, double& lift) {
  move_robots(duration, lift);
  double brought = 0;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    SimulatedRobot& robot = *robots_[r];
    brought += expected_[r] - before_[r];
    if (!robot_moves(r)) continue;
    kick(robot, push, robot.v, Kick::after_move);
    place_links(robot, all_, frames_);
  }
  return brought;
}

void IslandBodies::move_robots(double duration, double& lift) {
  expected_ = before_;
  moving_.clear();
  bool any_is_pushed = false;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const Index leader = slot(leader_[r]);
    if (at(leader).is_asleep() || (held_[leader] && frozen_)) continue;
    moving_.push_back(r);
    any_is_pushed |= executed.rates[r] != velocities.rates[r];
    if (robot_moves(r)) expected_[r] += work_on(*robots_[r], r, executed, duration);
  }
  if (any_is_pushed) {
    find_heights(moving_, velocities, duration);
    unpushed_ = heights_;
    find_heights(moving_, executed, duration);
    for (const std::size_t r : moving_) {
      lift += heights_[r] - unpushed_[r];
      expected_[r] += heights_[r] - unpushed_[r];
    }
  }
  for (const std::size_t r : moving_) {
    SimulatedRobot& robot = *robots_[r];
    end_ = robot.q;
    robot.tree.advance(end_.data(), executed.rates[r].data(), duration, robot.q.data());
    robot.v = velocities.rates[r];
    robot.with(robot.v);  // springs of other robots depend on it
    place_links(robot, all_, frames_);
  }
}

}  // namespace toccata
