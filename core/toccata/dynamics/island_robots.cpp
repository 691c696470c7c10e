// The robots of an island: what forces and impulses do to them, and how their links move.
#include <algorithm>

#include "toccata/dynamics/island_bodies.hpp"
#include "toccata/dynamics/symmetric.hpp"

namespace toccata {
namespace {

/// Six rows of six numbers of a matrix of that width.
Mobility read_block(const double* p, std::size_t width) {
  const auto part = [&](std::size_t row, std::size_t column) {
    const double *a = p + width * row + column, *b = a + width, *c = b + width;
    return Mat3d{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}};
  };
  return {part(0, 0), part(0, 3), part(3, 0), part(3, 3)};
}

/// The same for other points of both frames: the first is seen at `to`, the second is pushed at
/// `from`, offsets from their origins.
Mobility shifted(const Mobility& m, const Vec3d& to, const Vec3d& from) {
  const Mat3d seen = transposed(skew(to)), pushed = skew(from);
  const Mat3d spin_by_force = m.spin_by_force + m.spin_by_torque * pushed;
  const Mat3d velocity_by_torque = m.velocity_by_torque + seen * m.spin_by_torque;
  return {m.velocity_by_force + m.velocity_by_torque * pushed + seen * spin_by_force,
          velocity_by_torque, spin_by_force, m.spin_by_torque};
}

}  // namespace

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

void IslandBodies::activate(std::span<const Index> bodies) {
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const SimulatedRobot& robot = *robots_[r];
    if (robot.choice.activity != Activity::chosen) continue;
    touched_.clear();
    for (const Index i : bodies)
      if (place(i) >= 0 && body(i).is_link() && robot_of(i) == r)
        touched_.push_back(robot.tree.links()[body(i).link].joint);
    if (!touched_.empty()) robot.with(robot.v).activate(touched_);
  }
}

void IslandBodies::find_mobilities(std::span<const Index> bodies) {
  mobilities_.articulated.resize(robots_.size());
  mobilities_.owner.assign(count(), -1);
  mobilities_.slot.assign(count(), -1);
  for (std::size_t k = 0; k < count(); ++k)
    if (at(k).is_link()) mobilities_.owner[k] = static_cast<Index>(robot_of(index(k)));
  for (LinkMobilities::Listed& listed : mobilities_.articulated) listed.bodies.clear();
  for (const Index i : bodies) {
    const Index k = place(i);
    if (k < 0 || mobilities_.owner[k] < 0 || mobilities_.slot[k] >= 0) continue;
    std::vector<Index>& listed = mobilities_.articulated[mobilities_.owner[k]].bodies;
    mobilities_.slot[k] = static_cast<Index>(listed.size());
    listed.push_back(k);
  }
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    LinkMobilities::Listed& listed = mobilities_.articulated[r];
    const std::size_t n = listed.bodies.size();
    if (n == 0) continue;
    const SimulatedRobot& robot = *robots_[r];
    robot.tree.frames(robot.q.data(), robot.v.data(), frames_);
    const auto joint = [&](std::size_t i) {
      return robot.tree.links()[at(listed.bodies[i]).link].joint;
    };
    const auto arm = [&](std::size_t i) {
      return at(listed.bodies[i]).state.center - frames_[joint(i)].pose.translation;
    };
    touched_.clear();
    for (std::size_t i = 0; i < n; ++i) touched_.push_back(joint(i));
    blocks_.resize(36 * n * n);
    robot.with(robot.v).mobility(touched_, blocks_.data());
    listed.blocks.clear();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        listed.blocks.push_back(
            shifted(read_block(&blocks_[36 * i * n + 6 * j], 6 * n), arm(i), arm(j)));
  }
}

void IslandBodies::push_robots(BodyVelocities& all, const ContactPoints& contacts) {
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const SimulatedRobot& robot = *robots_[r];
    pulls_.clear();
    const auto add = [&](Index k, const Vec3d& arm, const Vec3d& impulse) {
      if (k < 0 || mobilities_.owner[k] != static_cast<Index>(r) || norm1(impulse) == 0) return;
      const Index joint = robot.tree.links()[at(k).link].joint;
      pulls_.push_back({joint, at(k).state.center + arm, impulse, {0, 0, 0}});
    };
    for (std::size_t k = 0; k < contacts.count(); ++k) {
      add(contacts.body_a[k], contacts.arm_a[k], contacts.impulse[k]);
      add(contacts.body_b[k], contacts.arm_b[k], -contacts.impulse[k]);
    }
    if (pulls_.empty() || !(all.inverse_mass[place(leader_[r])] > 0)) continue;
    ArticulatedBody& body = robot.with(all.rates[r]);
    body.apply(pulls_);
    all.rates[r].assign(body.v().begin(), body.v().end());
    move_links(r, all);
  }
}

void IslandBodies::slow_down(std::size_t r, double share) {
  for (double& rate : robots_[r]->v) rate *= share;
  for (const Index i : robots_[r]->bodies) {
    RigidState& state = all_[i].state;
    state.velocity = state.velocity * share, state.spin = state.spin * share;
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

/// Returns the energy that this may bring, without what the robot had.
double IslandBodies::execute_robot(std::size_t r, double duration, double push, double& lift) {
  SimulatedRobot& robot = *robots_[r];
  const Index leader = place(leader_[r]);
  if (at(leader).is_asleep() || (held_[leader] && frozen_)) return 0;
  const std::vector<double>&rates = velocities.rates[r], &done = executed.rates[r];
  const std::vector<double> rest(rates.size(), 0), start = robot.q;
  const auto height_at_end = [&](const std::vector<double>& way) {
    robot.tree.advance(start.data(), way.data(), duration, robot.q.data());
    return robot.with(rest).energy();
  };
  const double work = work_on(robot, r, duration), before = robot.with(robot.v).energy();
  const double unpushed = done == rates ? 0 : height_at_end(rates);
  const double height = height_at_end(done);
  const double raised = done == rates ? 0 : height - unpushed;
  lift += raised;
  robot.v = rates;
  if (!moves(leader)) {
    place_links(robot, all_, frames_);
    return raised;
  }
  kick(robot, push, robot.v, Kick::after_move);
  // Contacts act between kicks, and take the energy that this brings; nor are kicks halves of a
  // motion that was cut off.
  const bool is_alone = rates == kicked_[r] && push == duration / 2;
  const double error = is_alone ? keep_energy(robot, before + work + raised) : 0;
  place_links(robot, all_, frames_);
  return raised + work + error;
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

void IslandBodies::start_motions(double duration) {
  motions_.resize(robots_.size());
  for (std::size_t r = 0; r < robots_.size(); ++r)
    motions_[r].start(robots_[r]->tree, robots_[r]->q.data(), executed.rates[r].data(), duration);
}

Motion IslandBodies::motion(Index i, double duration) const {
  if (body(i).is_link()) return motions_[robot_of(i)].motion(body(i).link);
  return executed_motion(body(i), velocity(executed, i), duration);
}

std::pair<Motion, Motion> IslandBodies::motions(const SimulatedPair& p, double duration) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() || !b.is_link() || a.robot != b.robot)
    return {motion(p.a, duration), motion(p.b, duration)};
  const LinkMotions& own = motions_[robot_of(p.a)];
  const std::size_t common = robots_[robot_of(p.a)]->tree.common(a.link, b.link);
  return {own.motion(a.link, common), own.motion(b.link, common)};
}

double IslandBodies::relative_way(const SimulatedPair& p, double duration) const {
  const SimulatedBody &a = body(p.a), &b = body(p.b);
  if (!a.is_link() && !b.is_link()) return relative_speed(p, executed) * duration;
  if (a.is_link() && b.is_link() && a.robot == b.robot)
    return motions_[robot_of(p.a)].relative_way(a.link, b.link, 1);
  // Those of free bodies turn at constant rates about what moves straight: their points move no
  // farther than along a bound without a bend.
  const auto bound = [&](Index i) -> LinkMotions::Bound {
    if (body(i).is_link()) return motions_[robot_of(i)].bound(body(i).link);
    const BodyVelocity v = velocity(executed, i);
    const double swing = body(i).radius * norm(v.angular);
    const double way = (norm(v.linear) + swing) * duration;
    return {v.linear * duration, swing * duration, 0, way, 0, 0, 0};
  };
  return LinkMotions::relative_way(bound(p.a), bound(p.b), 1);
}

double IslandBodies::way(Index i, double duration, double part) const {
  if (body(i).is_link()) return motions_[robot_of(i)].bound(body(i).link).way(part);
  return speed(body(i), velocity(executed, i)) * (part * duration);
}

double IslandBodies::turn(const SimulatedPair& p, double duration) const {
  const auto rate = [&](Index i) {
    return body(i).is_link() ? motions_[robot_of(i)].bound(body(i).link).turn / duration
                             : norm(velocity(executed, i).angular);
  };
  return (rate(p.a) + rate(p.b)) * duration;
}

double IslandBodies::rounding(const SimulatedPair& p) const {
  const auto of = [&](Index i) {
    return body(i).is_link() ? motions_[robot_of(i)].bound(body(i).link).rounding : 0;
  };
  return of(p.a) + of(p.b);
}

}  // namespace toccata
