// The energy of an island: a substep ends with no more than its start, forces and pushes allow.
//
// A substep kicks, moves and kicks again, with contacts and limits of joints between. Each of the
// two solves is a projection on velocities that are allowed, 0 among them, and takes kinetic
// energy. What is left are errors of the time step: rates of joints stay while configurations
// change, and contacts or limits may bear during one half only. They are of second order in the
// time step, and have no bound where joints whirl by radians in a step. So they are booked:
//
// * An account holds robots that springs connect. With E its energy, W the work of joint forces and
//   P what pushing to the shell has raised it by, a substep may end with E + W + P + L. Here L is
//   what errors of earlier substeps have taken: energy goes to and fro by an error of second order,
//   and may come back. More than that is taken from kinetic energy, all rates by one factor.
//   So E + L never rises by itself, and E stays below E + L at the start, since L starts as 0.
// * That needs a potential energy at the end of a motion that is no larger. `afford` slows motions
//   down before they are certified: not to move at all is always affordable, as kinetic energy is
//   not negative. Along a linear potential, nothing has to be slowed down: with v the velocity at
//   the start, a half kick k and w the projection of v + k, the potential changes by -2 <k, w> in
//   the mass metric, where <v + k, w> >= |w|^2; so it rises by at most
//   2 <v, w> - 2 |w|^2 <= |v|^2 / 2, the kinetic energy.
// * Stops at limits are inelastic: what is missing after one does not come back, and L does not
//   grow.
// * Contacts take energy from one body to another: robots that they have pushed and all bodies with
//   features near others are one account, which does not gather an L.
#include <algorithm>
#include <cmath>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {
namespace {

constexpr int most_slowings = 20;  // by half; then a body does not move at all
// Far more than what rounding does to sums of energies, far less than anybody sees.
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

/// By forces on frames, or by a spring to a body that is not in the island.
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
                     [&](Index i) { return body(i).kind == BodyKind::scripted; });
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
                     [&](Index i) { return place(i) >= 0 && marked[place(i)]; });
}

/// What forces on links and of joints do during a motion.
double IslandBodies::work_on(const SimulatedRobot& robot, std::size_t r, const BodyVelocities& all,
                             double duration) const {
  double work = 0;
  for (const Index i : robot.bodies) {
    if (place(i) < 0) continue;
    const BodyVelocity v = velocity(all, i);
    work += dot(all_[i].force, v.linear) + dot(all_[i].torque, v.angular);
  }
  const std::vector<double>& rates = velocities.rates[r];
  for (std::size_t i = 0; i < rates.size(); ++i)
    work += (robot.body->tau[i] - robot.body->damping()[i] * rates[i]) * rates[i];
  return work * duration;
}

/// Finds the potential energies of robots after they have kept their rates for a time. Springs look
/// at both ends: all of them move before one is asked.
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

/// Robots that contacts push, with all bodies that have features near others.
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
  // Rows allow what is slower: their targets are at most 0.
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

/// Returns how far energy is from what is expected.
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
