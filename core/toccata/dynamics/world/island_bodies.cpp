#include "toccata/dynamics/world/island_bodies.hpp"

#include <algorithm>

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
  for (std::size_t k = 0; k < count(); ++k) {
    if (!at(k).is_link() || robot_slot_[at(k).robot] < robots.size()) continue;
    robot_slot_[at(k).robot] = robots_.size();
    robots_.push_back(&robots[at(k).robot]);
    leader_.push_back(index(k));
  }
  open_accounts();
}

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
  Count stopped = 0;
  for (const Index link : robot.bodies)
    if (slot(link) >= 0) stop(link), ++stopped;
  std::fill(robot.v.begin(), robot.v.end(), 0);
  return stopped;
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

}  // namespace toccata
