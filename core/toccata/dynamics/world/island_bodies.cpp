// Velocities of the bodies of an island, their execution, and bounds of speeds.
#include "toccata/dynamics/world/island_bodies.hpp"

#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {

void IslandBodies::start(const Island& island, std::span<SimulatedBody> all,
                         std::span<SimulatedRobot> robots, const Vec3d& gravity) {
  island_ = &island, all_ = all, gravity_ = gravity;
  slot_.assign(all.size(), -1);
  for (std::size_t k = 0; k < count(); ++k) slot_[index(k)] = static_cast<Index>(k);
  held_.assign(count(), false);
  frozen_ = false;
  robots_.clear(), leader_.clear();
  robot_slot_.assign(robots.size(), robots.size());
  links_.clear();
  for (std::size_t k = 0; k < count(); ++k) {
    if (!at(k).is_link()) continue;
    std::size_t& r = robot_slot_[at(k).robot];
    if (r == robots.size()) {
      r = robots_.size();
      robots_.push_back(&robots[at(k).robot]);
      leader_.push_back(index(k));
      links_.emplace_back();
    }
    links_[r].push_back(static_cast<Index>(k));
  }
  for (SimulatedRobot* const robot : robots_) robot->is_placed = false;
  velocities.links = nullptr;
  accounts.start(*this);
}

void IslandBodies::load(double kick, double duration) {
  BodyVelocities& v = velocities;
  v.inverse_mass.assign(count(), 0);
  v.inverse_inertia.assign(count(), {});
  v.velocity.assign(count(), {0, 0, 0});
  v.spin.assign(count(), {0, 0, 0});
  for (std::size_t k = 0; k < count(); ++k) {
    const SimulatedBody& b = at(k);
    if (b.is_link()) continue;
    if (b.kind == BodyKind::kinematic && !held_[k]) {
      const BodyVelocity given = kinematic_velocity(b, duration);
      v.velocity[k] = given.linear, v.spin[k] = given.angular;
    } else if (moves(k)) {
      v.inverse_mass[k] = 1 / b.mass.mass;
      v.inverse_inertia[k] = inverse_world_inertia(b.state, b.mass);
      v.velocity[k] = b.state.velocity + acceleration(index(k)) * kick;
      v.spin[k] = b.state.spin + v.inverse_inertia[k] * b.torque * kick;
    }
  }
  load_robots(kick);
}

void IslandBodies::store() const {
  for (std::size_t k = 0; k < count(); ++k)
    if (moves(k))
      at(k).state.velocity = velocities.velocity[k], at(k).state.spin = velocities.spin[k];
  for (std::size_t r = 0; r < robots_.size(); ++r)
    if (robot_moves(r)) robots_[r]->v = velocities.rates[r];
}

void IslandBodies::prepare_execution(double duration) {
  executed = velocities;
  for (std::size_t k = 0; k < count(); ++k) {
    const SimulatedBody& b = at(k);
    if (b.is_link()) {
      if (held_[k] && !frozen_) executed.inverse_mass[k] = 1;
    } else if (moves(k)) {
      RigidState state = b.state;
      state.spin = velocities.spin[k];
      executed.spin[k] = free_spin(state, b.mass, duration);
    } else if (held_[k] && !frozen_ && b.is_free()) {
      executed.inverse_mass[k] = 1 / b.mass.mass;
      executed.inverse_inertia[k] = inverse_world_inertia(b.state, b.mass);
    }
  }
}

double IslandBodies::execute(double duration, double kick, double& lift) {
  double allowed = energy();
  for (std::size_t k = 0; k < count(); ++k) {
    SimulatedBody& b = at(k);
    if (b.is_link() || b.is_asleep() || (held_[k] && frozen_)) continue;
    b.state.velocity = velocities.velocity[k], b.state.spin = velocities.spin[k];
    // Pushes to the shell leave no momentum.
    b.state = moved(b.state, b.mass, {executed.velocity[k], executed.spin[k], duration});
    if (!held_[k]) b.clock += duration;
    if (!b.is_free()) continue;
    const double gained = -b.mass.mass *
                          dot(gravity_, executed.velocity[k] - velocities.velocity[k]) * duration;
    const double work = dot(b.force, executed.velocity[k]) + dot(b.torque, executed.spin[k]);
    lift += gained;
    allowed += gained + work * duration;
    if (!moves(k)) continue;
    b.state.velocity = b.state.velocity + acceleration(index(k)) * kick;
    b.state.spin = b.state.spin + inverse_world_inertia(b.state, b.mass) * b.torque * kick;
  }
  return allowed + execute_robots(duration, kick, lift);
}

BodyVelocity IslandBodies::velocity(const BodyVelocities& all, Index i) const {
  const Index k = slot(i);
  return k < 0 ? BodyVelocity{} : BodyVelocity{all.velocity[k], all.spin[k]};
}

Vec3d IslandBodies::acceleration(Index i) const {
  const Index k = slot(i);
  if (k < 0 || !moves(k)) return {0, 0, 0};
  if (body(i).is_link()) return link_acceleration_[k];
  return gravity_ + body(i).force * (1 / body(i).mass.mass);
}

double IslandBodies::relative_speed(const SimulatedPair& p, const BodyVelocities& all) const {
  const BodyVelocity a = velocity(all, p.a), b = velocity(all, p.b);
  return norm(a.linear - b.linear) + body(p.a).radius * norm(a.angular) +
         body(p.b).radius * norm(b.angular);
}

double IslandBodies::rate(const SimulatedPair& p, const Vec3d& point, const Vec3d& normal,
                          const BodyVelocities& all) const {
  const auto at_point = [&](Index i) {
    const BodyVelocity v = velocity(all, i);
    return v.linear + cross(v.angular, point - body(i).state.center);
  };
  return dot(normal, at_point(p.a) - at_point(p.b));
}

void IslandBodies::displace(const BodyVelocities& all, double duration) {
  displaced_.clear();
  for (std::size_t k = 0; k < count(); ++k)
    displaced_.push_back(
        {&at(k), to_matrix(exp_rotation(all.spin[k] * duration)), all.velocity[k] * duration});
  for (std::size_t r = 0; r < robots_.size(); ++r) displace_links(r, all, duration);
}

Displaced IslandBodies::displaced(Index i) const {
  return slot(i) < 0 ? Displaced{&body(i)} : displaced_[slot(i)];
}

double IslandBodies::energy() const {
  double sum = 0;
  for (const Index i : island_->bodies)
    if (body(i).is_free() && !body(i).is_link())
      sum += kinetic_energy(body(i).state, body(i).mass) -
             body(i).mass.mass * dot(gravity_, body(i).state.center);
  for (const SimulatedRobot* const robot : robots_) sum += robot->with(robot->v).energy();
  return sum;
}

void IslandBodies::place_links(std::size_t r) {
  const SimulatedRobot& robot = *robots_[r];
  robot.moving().frames(robot.q.data(), robot.v.data(), frames_);
  for (const Index k : links_[r]) place_link(robot, at(k).link, frames_, all_);
}

/// Forces on links act in addition to the forces that the articulated body knows.
void IslandBodies::kick(std::size_t r, double duration, std::vector<double>& rates, Kick half) {
  const SimulatedRobot& robot = *robots_[r];
  ArticulatedBody& body = robot.with(rates);
  body.kick(duration, half);
  pulls_.clear();
  for (const Index k : links_[r]) {
    const SimulatedBody& link = at(k);
    if (norm1(link.force) == 0 && norm1(link.torque) == 0) continue;
    pulls_.push_back({robot.tree.links()[link.link].joint, link.state.center, link.force * duration,
                      link.torque * duration});
  }
  if (!pulls_.empty()) body.apply(pulls_);
  rates.assign(body.v().begin(), body.v().end());
}

void IslandBodies::load_robots(double push) {
  velocities.rates.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    std::vector<double>& rates = velocities.rates[r];
    rates = robots_[r]->v;
    if (push > 0) accounts.start_substep(r, robots_[r]->with(rates).energy());
    if (!robot_moves(r)) std::fill(rates.begin(), rates.end(), 0);
    else if (push > 0) kick(r, push, rates, Kick::before_move);
    move_links(r, velocities);
    for (const Index k : links_[r]) velocities.inverse_mass[k] = robot_moves(r) ? 1 : 0;
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
    accounts.note_stop(r);
    any = true;
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
    kick(r, duration, change, Kick::after_move);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = (change[i] - robot.v[i]) / duration;
    robot.moving().frames(robot.q.data(), change.data(), frames_);
    for (const Index k : links_[r])
      link_acceleration_[k] = robot.moving().link(at(k).link, frames_).velocity;
  }
}

void IslandBodies::move_links(std::size_t r, BodyVelocities& all) {
  const SimulatedRobot& robot = *robots_[r];
  robot.moving().frames(robot.q.data(), all.rates[r].data(), frames_);
  for (const Index k : links_[r]) {
    const MovingFrame link = robot.moving().link(at(k).link, frames_);
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
  robot.moving().advance(robot.q.data(), all.rates[r].data(), duration, end_.data());
  robot.moving().frames(end_.data(), all.rates[r].data(), frames_);
  for (const Index k : links_[r]) {
    const SimulatedBody& link = at(k);
    const Pose end = robot.moving().link(link.link, frames_).pose;
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
    brought += accounts.added(r);
    if (!robot_moves(r)) continue;
    kick(r, push, robot.v, Kick::after_move);
    place_links(r);
  }
  return brought;
}

void IslandBodies::move_robots(double duration, double& lift) {
  moving_.clear();
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const Index first = slot(leader_[r]);
    if (!at(first).is_asleep() && !(held_[first] && frozen_)) moving_.push_back(r);
  }
  accounts.allow(*this, moving_, duration, lift);
  for (const std::size_t r : moving_) {
    SimulatedRobot& robot = *robots_[r];
    end_ = robot.q;
    robot.moving().advance(end_.data(), executed.rates[r].data(), duration, robot.q.data());
    robot.v = velocities.rates[r];
    robot.with(robot.v);  // springs of other robots depend on it
    place_links(r);
  }
}

}  // namespace toccata
