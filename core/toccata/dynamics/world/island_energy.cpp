// Accounts of energy: what motions may use, and the excess that is taken from velocities.
#include "toccata/dynamics/world/island_energy.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {
namespace {

constexpr int most_slowings = 20;  // halvings; then the body does not move
// Far larger than rounding errors of sums of energies, far smaller than any visible effect.
constexpr double negligible_energy = 1e-13;

void slow_rates(std::vector<double>& rates, double share) {
  for (double& rate : rates) rate *= share;
}

/// Returns whether forces on frames act on a robot, or a spring to a body outside the island.
bool is_driven(const IslandBodies& bodies, const SimulatedRobot& robot) {
  const auto drives = [&](const Spring& spring) {
    const auto is_here = [&](const SimulatedRobot* other) { return other->body == spring.other; };
    return spring.other && spring.other != robot.body && spring.other_joint >= 0 &&
           std::none_of(bodies.robots().begin(), bodies.robots().end(), is_here);
  };
  const std::vector<Spring>& springs = robot.body->springs;
  return !robot.body->pulls.empty() || std::any_of(springs.begin(), springs.end(), drives);
}

/// Returns whether a link of a robot is marked, by slot.
bool has_link(const IslandBodies& bodies, std::size_t r, const std::vector<bool>& marked) {
  const std::span<const Index> links = bodies.links(r);
  return std::any_of(links.begin(), links.end(), [&](Index k) { return marked[k]; });
}

/// Returns the work of forces on links and of joint forces during a motion.
double work_on(const IslandBodies& bodies, std::size_t r, const BodyVelocities& all,
               double duration) {
  const SimulatedRobot& robot = *bodies.robots()[r];
  double work = 0;
  for (const Index k : bodies.links(r)) {
    const SimulatedBody& link = bodies.at(k);
    work += dot(link.force, all.velocity[k]) + dot(link.torque, all.spin[k]);
  }
  const std::vector<double>& rates = bodies.velocities.rates[r];
  const LinkTree& tree = robot.moving();  // all other rates are 0
  for (Index j = 0; j < static_cast<Index>(tree.joints().size()); ++j) {
    if (!tree.leads(j)) continue;
    const Index first = tree.first_rate(j), count = freedom_count(tree.joints()[j].kind);
    for (Index i = first; i < first + count; ++i)
      work += (robot.body->tau[i] - robot.body->damping()[i] * rates[i]) * rates[i];
  }
  return work * duration;
}

void slow_proposal(IslandBodies& bodies, std::size_t r, double share) {
  slow_rates(bodies.velocities.rates[r], share);
  bodies.move_links(r, bodies.velocities);
}

}  // namespace

bool IslandEnergy::is_driven(const IslandBodies& bodies) const {
  return std::any_of(accounts_.begin(), accounts_.end(),
                     [](const Account& account) { return account.is_driven; }) ||
         std::any_of(bodies.island().bodies.begin(), bodies.island().bodies.end(),
                     [&](Index i) { return bodies.body(i).kind == BodyKind::kinematic; });
}

void IslandEnergy::start(const IslandBodies& bodies) {
  const std::span<SimulatedRobot* const> robots = bodies.robots();
  accounts_.clear();
  pushed_.assign(robots.size(), false);
  stopped_.assign(robots.size(), false);
  before_.assign(robots.size(), 0);
  heights_.assign(robots.size(), 0);
  for (std::size_t r = 0; r < robots.size(); ++r) {
    const auto is_same = [&](const Account& account) {
      return robots[account.robots.front()]->connected == robots[r]->connected;
    };
    const auto known = std::find_if(accounts_.begin(), accounts_.end(), is_same);
    Account& account = known == accounts_.end() ? accounts_.emplace_back() : *known;
    account.robots.push_back(r);
    account.is_driven |= toccata::is_driven(bodies, *robots[r]);
  }
}

void IslandEnergy::start_substep(std::size_t robot, double energy) {
  pushed_[robot] = stopped_[robot] = false;
  before_[robot] = energy;
}

void IslandEnergy::allow(IslandBodies& bodies, std::span<const std::size_t> moving, double duration,
                         double& lift) {
  expected_ = before_;
  bool any_is_pushed = false;
  for (const std::size_t r : moving) {
    any_is_pushed |= bodies.executed.rates[r] != bodies.velocities.rates[r];
    if (bodies.robot_moves(r)) expected_[r] += work_on(bodies, r, bodies.executed, duration);
  }
  if (!any_is_pushed) return;
  find_heights(bodies, moving, bodies.velocities, duration);
  unpushed_ = heights_;
  find_heights(bodies, moving, bodies.executed, duration);
  for (const std::size_t r : moving) {
    lift += heights_[r] - unpushed_[r];
    expected_[r] += heights_[r] - unpushed_[r];
  }
}

bool IslandEnergy::is_pushed(const Account& account) const {
  return std::any_of(account.robots.begin(), account.robots.end(),
                     [&](std::size_t r) { return pushed_[r]; });
}

/// Computes the potential energies of robots after they have kept their rates for `duration`.
/// Springs depend on both ends, so all robots move before any energy is evaluated.
void IslandEnergy::find_heights(IslandBodies& bodies, std::span<const std::size_t> robots,
                                const BodyVelocities& all, double duration) {
  for (const std::size_t r : robots) {
    const SimulatedRobot& robot = *bodies.robots()[r];
    end_.resize(robot.q.size());
    robot.moving().advance(robot.q.data(), all.rates[r].data(), duration, end_.data());
    rest_.assign(robot.v.size(), 0);
    robot.body->move_to(end_);
    robot.body->set_velocity(rest_);
  }
  for (const std::size_t r : robots) heights_[r] = bodies.robots()[r]->body->energy();
  for (const std::size_t r : robots) bodies.robots()[r]->with(bodies.robots()[r]->v);
}

/// Adds the energy that is missing for the heights of robots at the end of a motion.
void IslandEnergy::add_missing(IslandBodies& bodies, const Account& account, double duration,
                               double& missing) {
  find_heights(bodies, account.robots, bodies.velocities, duration);
  for (const std::size_t r : account.robots)
    missing += heights_[r] - before_[r] - std::max(bodies.robots()[r]->lost, 0.0) -
               work_on(bodies, r, bodies.velocities, duration) -
               negligible_energy * std::abs(before_[r]);
}

bool IslandEnergy::affords(IslandBodies& bodies, const Account& account, double duration) {
  double missing = 0;
  add_missing(bodies, account, duration, missing);
  return !(missing > 0);
}

/// Returns whether robots with contact impulses can afford a motion, together with all bodies that
/// have features close to others.
bool IslandEnergy::affords_together(IslandBodies& bodies, const std::vector<bool>& touching,
                                    double duration) {
  double missing = 0;
  for (const Account& account : accounts_)
    if (is_pushed(account)) add_missing(bodies, account, duration, missing);
  for (std::size_t k = 0; k < bodies.count(); ++k) {
    if (!touching[k] || !bodies.moves(k) || bodies.at(k).is_link()) continue;
    const SimulatedBody& b = bodies.at(k);
    const Vec3d force = bodies.gravity() * b.mass.mass + b.force;
    missing -= kinetic_energy(b.state, b.mass) + (dot(force, bodies.velocities.velocity[k]) +
                                                  dot(b.torque, bodies.velocities.spin[k])) *
                                                     duration;
  }
  return !(missing > 0);
}

bool IslandEnergy::affords(IslandBodies& bodies, const std::vector<bool>& touching,
                           double duration) {
  bool is_together = false;
  for (const Account& account : accounts_) {
    is_together |= is_pushed(account);
    if (!is_pushed(account) && !account.is_driven && !affords(bodies, account, duration))
      return false;
  }
  return !is_together || is_driven(bodies) || affords_together(bodies, touching, duration);
}

void IslandEnergy::afford(IslandBodies& bodies, const std::vector<bool>& touching,
                          double duration) {
  bool is_together = false;
  for (const Account& account : accounts_) {
    is_together |= is_pushed(account);
    if (is_pushed(account) || account.is_driven) continue;
    for (int n = 1; n <= most_slowings && !affords(bodies, account, duration); ++n)
      for (const std::size_t r : account.robots)
        slow_proposal(bodies, r, n < most_slowings ? 0.5 : 0);
  }
  if (!is_together || is_driven(bodies)) return;
  // Slower motions satisfy the rows, because their targets are at most 0.
  for (int n = 1; n <= most_slowings && !affords_together(bodies, touching, duration); ++n) {
    const double share = n < most_slowings ? 0.5 : 0;
    for (const Account& account : accounts_)
      if (is_pushed(account))
        for (const std::size_t r : account.robots) slow_proposal(bodies, r, share);
    for (std::size_t k = 0; k < bodies.count(); ++k) {
      if (!touching[k] || !bodies.moves(k) || bodies.at(k).is_link()) continue;
      bodies.velocities.velocity[k] = bodies.velocities.velocity[k] * share;
      bodies.velocities.spin[k] = bodies.velocities.spin[k] * share;
    }
  }
}

/// Returns the difference between the energy and the allowed energy.
double IslandEnergy::settle(IslandBodies& bodies, const Account& account) {
  double error = 0, moving = 0, lost = 0;
  bool is_stopped = false;
  for (const std::size_t r : account.robots) {
    const SimulatedRobot& robot = *bodies.robots()[r];
    ArticulatedBody& body = robot.with(robot.v);
    error += body.energy() - expected_[r];
    moving += body.kinetic_energy();
    lost += robot.lost;
    is_stopped |= stopped_[r];
  }
  if (account.is_driven) return error;
  const double excess = error - lost;
  const double share = excess > 0 ? std::sqrt(std::max(1 - excess / moving, 0.0)) : 1;
  const double taken = excess > 0 ? (1 - share * share) * moving : 0;
  const double left = taken - excess;
  for (const std::size_t r : account.robots) {
    SimulatedRobot& robot = *bodies.robots()[r];
    robot.lost = 0;
    if (!(excess > 0)) continue;
    slow_rates(robot.v, share);
    bodies.place_links(r);
  }
  bodies.robots()[account.robots.front()]->lost = is_stopped ? std::min(lost, left) : left;
  return error - taken;
}

double IslandEnergy::keep(IslandBodies& bodies) {
  double changed = 0;
  for (const Account& account : accounts_)
    if (!is_pushed(account)) changed += settle(bodies, account);
  return changed;
}

void IslandEnergy::take(IslandBodies& bodies, const std::vector<bool>& touching, double excess) {
  SimulatedRobot* debtor = nullptr;
  for (std::size_t r = 0; r < bodies.robots().size(); ++r) {
    if (!pushed_[r]) continue;
    const double drawn = std::min(bodies.robots()[r]->lost, excess);
    bodies.robots()[r]->lost -= drawn, excess -= drawn;
    debtor = bodies.robots()[r];
  }
  double moving = 0;
  for (std::size_t k = 0; k < bodies.count(); ++k)
    if (touching[k] && !bodies.at(k).is_link())
      moving += kinetic_energy(bodies.at(k).state, bodies.at(k).mass);
  for (std::size_t r = 0; r < bodies.robots().size(); ++r)
    if (has_link(bodies, r, touching))
      moving += bodies.robots()[r]->with(bodies.robots()[r]->v).kinetic_energy();
  if (!(excess > 0)) return;
  const double share = moving > excess ? std::sqrt(1 - excess / moving) : 0;
  if (debtor) debtor->lost -= std::max(excess - moving, 0.0);
  const auto slow = [&](RigidState& state) {
    state.velocity = state.velocity * share, state.spin = state.spin * share;
  };
  for (std::size_t k = 0; k < bodies.count(); ++k)
    if (touching[k] && !bodies.at(k).is_link()) slow(bodies.at(k).state);
  for (std::size_t r = 0; r < bodies.robots().size(); ++r) {
    if (!has_link(bodies, r, touching)) continue;
    slow_rates(bodies.robots()[r]->v, share);
    for (const Index k : bodies.links(r)) slow(bodies.at(k).state);
  }
}

}  // namespace toccata
