// Energy accounts of an island: a substep ends with at most the energy of its start, plus the work
// of forces and pushes.
//
// A substep kicks, moves and kicks again, and solves for contacts and limits of joints after each
// kick. Each solution is a projection onto allowed velocities, which include 0, so it takes kinetic
// energy. There remain errors of the time step: rates of joints stay constant while configurations
// change, and contacts or limits may bear in one half only. These errors are of second order in the
// time step, but unbounded where joints turn by radians in a step. Accounts therefore limit them:
//
// * An account holds robots that springs connect. Let E be its energy, W the work of joint forces,
//   and P the energy added by pushes to the shell. A substep may end with E + W + P + L, where L is
//   the energy that errors of earlier substeps have taken: energy oscillates by an error of second
//   order, and this energy may return. Any excess is taken from kinetic energy, by one factor for
//   all rates. Proof that E stays below its start: E + L never rises by itself, and L starts at 0.
// * The potential energy at the end of a motion must not exceed this allowance. `afford` slows
//   motions down before they are certified. Rest is always affordable, as kinetic energy is not
//   negative. Proof that motions along a linear potential need no slowing: let v be the velocity at
//   the start, k half a kick and w the projection of v + k. The potential changes by -2 <k, w> in
//   the mass metric, and <v + k, w> >= |w|^2. It rises by at most 2 <v, w> - 2 |w|^2 <= |v|^2 / 2,
//   the kinetic energy.
// * Stops at limits are inelastic: the energy that is missing after a stop does not return, so L
//   does not grow.
// * Contacts transfer energy between bodies. Robots with contact impulses share one account with
//   all bodies that have features close to others. This account has no L.
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

}  // namespace

double IslandBodies::energy() const {
  double sum = 0;
  for (const Index i : island_->bodies)
    if (body(i).is_free() && !body(i).is_link())
      sum += kinetic_energy(body(i).state, body(i).mass) -
             body(i).mass.mass * dot(gravity_, body(i).state.center);
  for (const SimulatedRobot* const robot : robots_) sum += robot->with(robot->v).energy();
  return sum;
}

/// Returns whether forces on frames act on a robot, or a spring to a body outside the island.
bool IslandBodies::is_driven(const SimulatedRobot& robot) const {
  const auto drives = [&](const Spring& spring) {
    const auto is_here = [&](const SimulatedRobot* other) { return other->body == spring.other; };
    return spring.other && spring.other != robot.body && spring.other_joint >= 0 &&
           std::none_of(robots_.begin(), robots_.end(), is_here);
  };
  const std::vector<Spring>& springs = robot.body->springs;
  return !robot.body->pulls.empty() || std::any_of(springs.begin(), springs.end(), drives);
}

bool IslandBodies::is_driven() const {
  return std::any_of(accounts_.begin(), accounts_.end(),
                     [](const Account& account) { return account.is_driven; }) ||
         std::any_of(island_->bodies.begin(), island_->bodies.end(),
                     [&](Index i) { return body(i).kind == BodyKind::kinematic; });
}

void IslandBodies::open_accounts() {
  accounts_.clear();
  pushed_.assign(robots_.size(), false);
  stopped_.assign(robots_.size(), false);
  before_.assign(robots_.size(), 0);
  heights_.assign(robots_.size(), 0);
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    const auto is_same = [&](const Account& account) {
      return robots_[account.robots.front()]->connected == robots_[r]->connected;
    };
    const auto known = std::find_if(accounts_.begin(), accounts_.end(), is_same);
    Account& account = known == accounts_.end() ? accounts_.emplace_back() : *known;
    account.robots.push_back(r);
    account.is_driven |= is_driven(*robots_[r]);
  }
}

bool IslandBodies::is_pushed(const Account& account) const {
  return std::any_of(account.robots.begin(), account.robots.end(),
                     [&](std::size_t r) { return pushed_[r]; });
}

bool IslandBodies::has_link(std::size_t r, const std::vector<bool>& marked) const {
  return std::any_of(robots_[r]->bodies.begin(), robots_[r]->bodies.end(),
                     [&](Index i) { return slot(i) >= 0 && marked[slot(i)]; });
}

/// Returns the work of forces on links and of joint forces during a motion.
double IslandBodies::work_on(const SimulatedRobot& robot, std::size_t r, const BodyVelocities& all,
                             double duration) const {
  double work = 0;
  for (const Index i : robot.bodies) {
    if (slot(i) < 0) continue;
    const BodyVelocity v = velocity(all, i);
    work += dot(all_[i].force, v.linear) + dot(all_[i].torque, v.angular);
  }
  const std::vector<double>& rates = velocities.rates[r];
  for (std::size_t i = 0; i < rates.size(); ++i)
    work += (robot.body->tau[i] - robot.body->damping()[i] * rates[i]) * rates[i];
  return work * duration;
}

/// Computes the potential energies of robots after they have kept their rates for `duration`.
/// Springs depend on both ends, so all robots move before any energy is evaluated.
void IslandBodies::find_heights(std::span<const std::size_t> robots, const BodyVelocities& all,
                                double duration) {
  for (const std::size_t r : robots) {
    const SimulatedRobot& robot = *robots_[r];
    end_.resize(robot.q.size());
    robot.tree.advance(robot.q.data(), all.rates[r].data(), duration, end_.data());
    rest_.assign(robot.v.size(), 0);
    robot.body->move_to(end_);
    robot.body->set_velocity(rest_);
  }
  for (const std::size_t r : robots) heights_[r] = robots_[r]->body->energy();
  for (const std::size_t r : robots) robots_[r]->with(robots_[r]->v);
}

bool IslandBodies::affords(const Account& account, double duration) {
  find_heights(account.robots, velocities, duration);
  double missing = 0;
  for (const std::size_t r : account.robots)
    missing += heights_[r] - before_[r] - std::max(robots_[r]->lost, 0.0) -
               work_on(*robots_[r], r, velocities, duration) -
               negligible_energy * std::abs(before_[r]);
  return !(missing > 0);
}

/// Returns whether robots with contact impulses can afford a motion, together with all bodies that
/// have features close to others.
bool IslandBodies::affords_together(const std::vector<bool>& touching, double duration) {
  double missing = 0;
  for (const Account& account : accounts_) {
    if (!is_pushed(account)) continue;
    find_heights(account.robots, velocities, duration);
    for (const std::size_t r : account.robots)
      missing += heights_[r] - before_[r] - std::max(robots_[r]->lost, 0.0) -
                 work_on(*robots_[r], r, velocities, duration) -
                 negligible_energy * std::abs(before_[r]);
  }
  for (std::size_t k = 0; k < count(); ++k) {
    if (!touching[k] || !moves(k) || at(k).is_link()) continue;
    const SimulatedBody& b = at(k);
    const Vec3d force = gravity_ * b.mass.mass + b.force;
    missing -= kinetic_energy(b.state, b.mass) +
               (dot(force, velocities.velocity[k]) + dot(b.torque, velocities.spin[k])) * duration;
  }
  return !(missing > 0);
}

bool IslandBodies::affords(const std::vector<bool>& touching, double duration) {
  bool is_together = false;
  for (const Account& account : accounts_) {
    is_together |= is_pushed(account);
    if (!is_pushed(account) && !account.is_driven && !affords(account, duration)) return false;
  }
  return !is_together || is_driven() || affords_together(touching, duration);
}

void IslandBodies::slow_proposal(std::size_t r, double share) {
  slow_rates(velocities.rates[r], share);
  move_links(r, velocities);
}

void IslandBodies::afford(const std::vector<bool>& touching, double duration) {
  bool is_together = false;
  for (const Account& account : accounts_) {
    is_together |= is_pushed(account);
    if (is_pushed(account) || account.is_driven) continue;
    for (int n = 1; n <= most_slowings && !affords(account, duration); ++n)
      for (const std::size_t r : account.robots) slow_proposal(r, n < most_slowings ? 0.5 : 0);
  }
  if (!is_together || is_driven()) return;
  // Slower motions satisfy the rows, because their targets are at most 0.
  for (int n = 1; n <= most_slowings && !affords_together(touching, duration); ++n) {
    const double share = n < most_slowings ? 0.5 : 0;
    for (const Account& account : accounts_)
      if (is_pushed(account))
        for (const std::size_t r : account.robots) slow_proposal(r, share);
    for (std::size_t k = 0; k < count(); ++k) {
      if (!touching[k] || !moves(k) || at(k).is_link()) continue;
      velocities.velocity[k] = velocities.velocity[k] * share;
      velocities.spin[k] = velocities.spin[k] * share;
    }
  }
}

/// Returns the difference between the energy and the allowed energy.
double IslandBodies::settle(const Account& account) {
  double error = 0, moving = 0, lost = 0;
  bool is_stopped = false;
  for (const std::size_t r : account.robots) {
    const SimulatedRobot& robot = *robots_[r];
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
    SimulatedRobot& robot = *robots_[r];
    robot.lost = 0;
    if (!(excess > 0)) continue;
    slow_rates(robot.v, share);
    place_links(robot, all_, frames_);
  }
  robots_[account.robots.front()]->lost = is_stopped ? std::min(lost, left) : left;
  return error - taken;
}

double IslandBodies::keep_energies() {
  double changed = 0;
  for (const Account& account : accounts_)
    if (!is_pushed(account)) changed += settle(account);
  return changed;
}

void IslandBodies::take_energy(const std::vector<bool>& touching, double excess) {
  SimulatedRobot* debtor = nullptr;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    if (!pushed_[r]) continue;
    const double drawn = std::min(robots_[r]->lost, excess);
    robots_[r]->lost -= drawn, excess -= drawn;
    debtor = robots_[r];
  }
  double moving = 0;
  for (std::size_t k = 0; k < count(); ++k)
    if (touching[k] && !at(k).is_link()) moving += kinetic_energy(at(k).state, at(k).mass);
  for (std::size_t r = 0; r < robots_.size(); ++r)
    if (has_link(r, touching)) moving += robots_[r]->with(robots_[r]->v).kinetic_energy();
  if (!(excess > 0)) return;
  const double share = moving > excess ? std::sqrt(1 - excess / moving) : 0;
  if (debtor) debtor->lost -= std::max(excess - moving, 0.0);
  const auto slow = [&](RigidState& state) {
    state.velocity = state.velocity * share, state.spin = state.spin * share;
  };
  for (std::size_t k = 0; k < count(); ++k)
    if (touching[k] && !at(k).is_link()) slow(at(k).state);
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    if (!has_link(r, touching)) continue;
    slow_rates(robots_[r]->v, share);
    for (const Index i : robots_[r]->bodies) slow(all_[i].state);
  }
}

}  // namespace toccata
