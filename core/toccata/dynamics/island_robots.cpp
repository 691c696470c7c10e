// The robots of an island: what forces and impulses do to them, and how their links move.
#include <algorithm>

#include "toccata/dynamics/island_bodies.hpp"
#include "toccata/dynamics/symmetric.hpp"

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

/// Forces act on links besides those that the articulated body knows.
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
  kicked_.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    std::vector<double>& rates = velocities.rates[r];
    rates = robots_[r]->v;
    if (!robot_moves(r)) {
      std::fill(rates.begin(), rates.end(), 0);
    } else if (push > 0) {
      kick(*robots_[r], push, rates, Kick::before_move);
      kicked_[r] = rates;
    }
    move_links(r, velocities);
    for (const Index link : robots_[r]->bodies)
      if (place(link) >= 0) velocities.inverse_mass[place(link)] = robot_moves(r) ? 1 : 0;
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
    any = true;
  }
  return any;
}

/// What turns a link at its present rates is left out.
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
      if (const Index k = place(robot.bodies[i]); k >= 0)
        link_acceleration_[k] = robot.tree.link(static_cast<Index>(i), frames_).velocity;
  }
}

void IslandBodies::move_links(std::size_t r, BodyVelocities& all) {
  const SimulatedRobot& robot = *robots_[r];
  robot.tree.frames(robot.q.data(), all.rates[r].data(), frames_);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Index k = place(robot.bodies[i]);
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

bool IslandBodies::has_chosen_link(std::size_t r, const std::vector<bool>& chosen) const {
  return std::any_of(robots_[r]->bodies.begin(), robots_[r]->bodies.end(),
                     [&](Index i) { return place(i) >= 0 && chosen[place(i)]; });
}

double IslandBodies::moving_energy(const std::vector<bool>& chosen) const {
  double sum = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k] && !at(k).is_link()) sum += kinetic_energy(at(k).state, at(k).mass);
  for (std::size_t r = 0; r < robots_.size(); ++r)
    if (has_chosen_link(r, chosen)) sum += robots_[r]->with(robots_[r]->v).kinetic_energy();
  return sum;
}

void IslandBodies::slow_down(const std::vector<bool>& chosen, double share) {
  const auto slow = [&](RigidState& state) {
    state.velocity = state.velocity * share, state.spin = state.spin * share;
  };
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k] && !at(k).is_link()) slow(at(k).state);
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    if (!has_chosen_link(r, chosen)) continue;
    for (double& rate : robots_[r]->v) rate *= share;
    for (const Index i : robots_[r]->bodies) slow(all_[i].state);
  }
}

/// By where links come to, not by their velocities.
void IslandBodies::displace_links(std::size_t r, const BodyVelocities& all, double duration) {
  const SimulatedRobot& robot = *robots_[r];
  end_.resize(robot.q.size());
  robot.tree.advance(robot.q.data(), all.rates[r].data(), duration, end_.data());
  robot.tree.frames(end_.data(), all.rates[r].data(), frames_);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Index k = place(robot.bodies[i]);
    if (k < 0) continue;
    const Pose end = robot.tree.link(static_cast<Index>(i), frames_).pose;
    const SimulatedBody& link = at(k);
    displaced_[k].turn = end.rotation * transposed(link.state.rotation);
    displaced_[k].by = end * link.mass.center - link.state.center;
  }
}

/// All of them move before forces act again: springs look at both ends. Returns the energy that
/// this may bring, without what robots had.
double IslandBodies::execute_robots(double duration, double push, double& lift) {
  double brought = 0;
  expected_.assign(robots_.size(), 0);
  for (std::size_t r = 0; r < robots_.size(); ++r) brought += move_robot(r, duration, lift);
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    SimulatedRobot& robot = *robots_[r];
    if (!robot_moves(r)) continue;
    kick(robot, push, robot.v, Kick::after_move);
    // Contacts act between kicks, and take the energy that this brings; nor are kicks halves of a
    // motion that was cut off.
    if (velocities.rates[r] == kicked_[r] && push == duration / 2)
      brought += keep_energy(robot, expected_[r]);
    place_links(robot, all_, frames_);
  }
  return brought;
}

double IslandBodies::move_robot(std::size_t r, double duration, double& lift) {
  SimulatedRobot& robot = *robots_[r];
  const Index leader = place(leader_[r]);
  if (at(leader).is_asleep() || (held_[leader] && frozen_)) return 0;
  const std::vector<double>&rates = velocities.rates[r], &done = executed.rates[r];
  const std::vector<double> rest(rates.size(), 0), start = robot.q;
  const auto height_at_end = [&](const std::vector<double>& way) {
    robot.tree.advance(start.data(), way.data(), duration, robot.q.data());
    return robot.with(rest).energy();
  };
  const double work = robot_moves(r) ? work_on(robot, r, duration) : 0;
  const double before = robot.with(robot.v).energy();
  const double unpushed = done == rates ? 0 : height_at_end(rates);
  const double height = height_at_end(done);
  const double raised = done == rates ? 0 : height - unpushed;
  lift += raised;
  robot.v = rates;
  place_links(robot, all_, frames_);
  expected_[r] = before + work + raised;
  return raised + work;
}

/// The rates of joints stay while configurations change: to second order in time that is what free
/// motion does, and its energy goes to and fro by what is left. It may come back, and is not let
/// above what it was. Returns how far the energy is from what is expected.
double IslandBodies::keep_energy(SimulatedRobot& robot, double expected) {
  ArticulatedBody& body = robot.with(robot.v);
  const double error = body.energy() - expected;
  if (!body.keeps_energy()) return error;
  const double excess = error - robot.lost, moving = body.kinetic_energy();
  robot.lost = std::max(-excess, 0.0);
  if (!(excess > 0)) return error;
  const double share = moving > excess ? std::sqrt(1 - excess / moving) : 0;
  for (double& rate : robot.v) rate *= share;
  return error - (1 - share * share) * moving;
}

/// What forces on links and of joints do during a motion.
double IslandBodies::work_on(const SimulatedRobot& robot, std::size_t r, double duration) const {
  double work = 0;
  for (const Index i : robot.bodies) {
    if (place(i) < 0) continue;
    const BodyVelocity v = velocity(executed, i);
    work += dot(all_[i].force, v.linear) + dot(all_[i].torque, v.angular);
  }
  const std::vector<double>& rates = velocities.rates[r];
  for (std::size_t i = 0; i < rates.size(); ++i)
    work += (robot.body->tau[i] - robot.body->damping()[i] * rates[i]) * rates[i];
  return work * duration;
}

}  // namespace toccata
