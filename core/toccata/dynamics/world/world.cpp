// A step of all islands: regions, pairs, islands, and repetition with larger regions.
#include "toccata/dynamics/world/world.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {
namespace {

constexpr double floor_in_shells = 1.0 / 16;
constexpr double slow_in_shells = 0.1;  // per step
constexpr double slow_in_radii = 0.02;  // per second
constexpr double seconds_to_sleep = 0.5;
constexpr int most_tries = 40;

}  // namespace

void World::erase(Index index) {
  table_.remove(index);
  before_.clear();
  old_pairs_.clear();
  std::erase_if(pairs_, [&](const SimulatedPair& p) { return p.a == index || p.b == index; });
  for (SimulatedPair& pair : pairs_) {
    pair.a -= pair.a > index;
    pair.b -= pair.b > index;
  }
}

void World::remove_robot(const std::string& name) {
  std::vector<Index> links = robot(name).bodies;
  std::sort(links.begin(), links.end(), std::greater<>());
  for (const Index link : links) erase(link);
  table_.remove_robot(name);
}

double World::shell(Index a, Index b) const {
  if (options_.shell > 0) return options_.shell;
  const bool fixed_a = table_.bodies[a].kind == BodyKind::fixed;
  const bool fixed_b = table_.bodies[b].kind == BodyKind::fixed;
  if (fixed_a != fixed_b) return shell_in_radii * table_.bodies[fixed_a ? b : a].radius;
  return shell_in_radii * std::min(table_.bodies[a].radius, table_.bodies[b].radius);
}

double World::least_shell() const {
  if (options_.shell > 0) return options_.shell;
  double least = infinity;
  for (const SimulatedBody& body : table_.bodies)
    if (body.kind != BodyKind::fixed) least = std::min(least, shell_in_radii * body.radius);
  return least;
}

void World::move(Index i, const Pose& pose) {
  SimulatedBody& body = table_.bodies[i];
  const RigidState at = state_at(pose, body.mass);
  body.state.rotation = at.rotation, body.state.center = at.center;
  body.is_certified = false;
  wake_all();  // others may have rested on it
}

void World::set_velocity(Index i, const BodyVelocity& velocity) {
  table_.bodies[i].state.velocity = velocity.linear;
  table_.bodies[i].state.spin = velocity.angular;
  wake(i);
}

void World::apply(Index i, const Vec3d& force, const Vec3d& torque) {
  SimulatedBody& body = table_.bodies[i];
  body.force = body.force + force;
  body.torque = body.torque + torque;
  if (body.is_link()) table_.robots[body.robot].is_pushed = true;
  wake(i);
}

bool World::is_certified() const {
  return std::all_of(table_.bodies.begin(), table_.bodies.end(),
                     [](const SimulatedBody& body) { return body.is_certified; });
}

std::vector<SimulatedContact> World::contacts() const {
  std::vector<SimulatedContact> found;
  for (const SimulatedPair& pair : pairs_)
    for (const Bearing& bearing : pair.bearings)
      found.push_back({pair.a, pair.b, bearing.point, bearing.normal, bearing.distance,
                       bearing.impulse * (1 / pair.duration)});
  return found;
}

World::Obstacle World::obstacle() {
  table_.place_links();
  rest_robots();
  std::vector<Region> regions;
  for (const Index i : table_.by_name()) {
    const SimulatedBody& body = table_.bodies[i];
    const double shell = options_.shell > 0 ? options_.shell : shell_in_radii * body.radius;
    regions.push_back(
        {grown(box_at(body.pose(), body.middle, body.half), shell), body.kind != BodyKind::fixed});
  }
  for (const RegionPair& pair : find_pairs(regions)) {
    const Index a = at(pair.a), b = at(pair.b);
    if (table_.bodies[a].is_certified && table_.bodies[b].is_certified) continue;
    const Motion at_a = resting(a), at_b = resting(b);
    const double least = std::max(floor_in_shells * shell(a, b), resolution(a, b));
    const Body body_a{*table_.bodies[a].mesh, at_a}, body_b{*table_.bodies[b].mesh, at_b};
    const double apart = distance(body_a, body_b).lower;
    if (!(apart > least)) return {a, b, apart, least};
    Options options;
    options.tolerance = least / 4;
    // Bodies may be inside of solids.
    if (first_contact(body_a, body_b, options).status != Status::free) return {a, b, 0, least};
  }
  for (SimulatedBody& body : table_.bodies) body.is_certified = true;
  return {};
}

/// Chooses the active joints, once in a step.
void World::adapt_robots() {
  table_.wake_by_springs();
  for (SimulatedRobot& robot : table_.robots) {
    if (table_.is_asleep(robot)) continue;
    robot.with(robot.v).adapt(robot.choice);
    robot.v.assign(robot.body->v().begin(), robot.body->v().end());
    robot.follow_joints();
  }
}

void World::stop_robot(Index i) {
  std::fill(table_.robots[i].v.begin(), table_.robots[i].v.end(), 0);
  table_.robots[i].is_placed = false;
}

/// The errors of these motions are those of certified motions.
void World::rest_robots() {
  resting_.resize(table_.robots.size());
  for (std::size_t r = 0; r < table_.robots.size(); ++r) {
    const std::vector<double> none(table_.robots[r].v.size(), 0);
    resting_[r].start(table_.robots[r].moving(), table_.robots[r].q.data(), none.data(), 0);
  }
}

Motion World::resting(Index i) const {
  const SimulatedBody& body = table_.bodies[i];
  return body.is_link() ? resting_[body.robot].motion(body.link) : Motion::fixed(body.pose());
}

double World::rounding(Index i) const {
  const SimulatedBody& body = table_.bodies[i];
  return body.is_link() ? resting_[body.robot].bound(body.link).rounding : 0;
}

/// Returns the distance below which rounding errors matter; see `certify`.
double World::resolution(Index a, Index b) const {
  const Motion at_a = resting(a), at_b = resting(b);
  return resolution_of({*table_.bodies[a].mesh, at_a}, {*table_.bodies[b].mesh, at_b}) +
         resolution_in_errors * (rounding(a) + rounding(b));
}

/// Returns the pairs of regions that overlap and belong to tested bodies, by rank.
const std::vector<RegionPair>& World::find_pairs(std::span<const Region> regions) {
  std::vector<RegionPair>& found = sweep_.pairs(regions);
  if (!table_.robots.empty())
    std::erase_if(found, [&](const RegionPair& p) { return !table_.tests(at(p.a), at(p.b)); });
  return found;
}

void World::set_pair(SimulatedPair& pair) const {
  const Material &a = table_.bodies[pair.a].material, &b = table_.bodies[pair.b].material;
  pair.shell = shell(pair.a, pair.b);
  pair.friction = std::sqrt(a.friction * b.friction);
  pair.restitution = std::max(a.restitution, b.restitution);
  // A body at rest gains the speed |g| h in a step, which is no impact.
  pair.impact_speed = std::max(2 * norm(options_.gravity) * options_.step,
                               slow_in_shells * pair.shell / options_.step);
}

/// Keeps the data of pairs that are still close.
void World::renew_pairs(std::span<const RegionPair> found) {
  std::swap(pairs_, old_pairs_);
  pairs_.clear();
  auto old = old_pairs_.begin();
  const auto ranks = [&](const SimulatedPair& pair) {
    return RegionPair{table_.rank(pair.a), table_.rank(pair.b)};
  };
  for (const RegionPair& next : found) {
    const Index a = at(next.a), b = at(next.b);
    while (old != old_pairs_.end() && ranks(*old) < next) ++old;
    if (old != old_pairs_.end() && old->a == a && old->b == b) {
      pairs_.push_back(std::move(*old));
    } else {
      SimulatedPair& pair = pairs_.emplace_back();
      pair.a = a, pair.b = b;
      set_pair(pair);
    }
    if (table_.bodies[a].is_asleep() && table_.bodies[b].is_asleep()) continue;
    pairs_.back().floor = std::max(floor_in_shells * pairs_.back().shell, resolution(a, b));
  }
}

StepReport World::step(StepRecord* record) {
  adapt_robots();
  table_.connect_robots();
  save_start();
  factor_.assign(table_.bodies.size(), 1.5);
  StepReport report;
  int tries = 0;
  try {
    while (tries < most_tries && !try_step(report, record)) ++tries;
  } catch (...) {
    restore_start();  // interrupted
    throw;
  }
  if (tries == most_tries) {  // no certified step was found
    report = {.stopped = static_cast<Count>(table_.bodies.size())};
    impacts_.clear();
    if (record) *record = {};
    for (SimulatedBody& body : table_.bodies) body.state.velocity = body.state.spin = {0, 0, 0};
    for (std::size_t r = 0; r < table_.robots.size(); ++r) stop_robot(static_cast<Index>(r));
  }
  const auto release = [](SimulatedBody& body) { body.force = body.torque = {0, 0, 0}; };
  for (const Index rank : table_.unlinked()) release(table_.bodies[at(rank)]);
  for (SimulatedRobot& robot : table_.robots) {
    robot.with(robot.v).pulls.clear();
    if (!std::exchange(robot.is_pushed, false)) continue;
    for (const Index i : robot.bodies) release(table_.bodies[i]);
  }
  time_ = static_cast<double>(++counters_.steps) * options_.step;
  return report;
}

/// Advances all islands. Returns false, and restores the start, if a body would leave its region.
bool World::try_step(StepReport& report, StepRecord* record) {
  report = {};
  impacts_.clear();
  if (record) *record = {};
  regions_.find(table_, {options_.gravity, options_.step, options_.shell}, factor_);
  rest_robots();
  renew_pairs(regions_.pairs());
  for (const Island& island : regions_.islands()) {
    if (!step_island(island, report, record)) return false;
  }
  for (const Index rank : table_.unlinked()) {
    const SimulatedBody& body = table_.bodies[at(rank)];
    report.awake += body.is_free() && !body.is_asleep();
  }
  for (const SimulatedRobot& robot : table_.robots)
    if (!table_.is_asleep(robot)) report.awake += robot.moving_links;
  return true;
}

bool World::step_island(const Island& island, StepReport& report, StepRecord* record) {
  const bool is_asleep = std::all_of(island.bodies.begin(), island.bodies.end(),
                                     [&](Index i) { return table_.bodies[i].is_asleep(); });
  if (is_asleep) return true;
  const IslandReport one = island_step_.run(island, {options_, table_.bodies, table_.robots, pairs_,
                                                     regions_.reach(), time_, impacts_, record});
  if (one.escaped >= 0) {
    retry_after_escape(island, one.escaped);
    return false;
  }
  report.islands += 1;
  report.substeps = std::max(report.substeps, one.substeps);
  report.truncated += one.truncated;
  report.passes += one.passes;
  report.lift += one.lift;
  report.least_distance = std::min(report.least_distance, one.least_distance);
  report.stopped += one.stopped;
  if (one.stopped > 0) {
    for (const Index i : island.bodies) table_.bodies[i].quiet = 0;  // stuck bodies are not at rest
  } else if (options_.sleeping) {
    fall_asleep(island);
  }
  return true;
}

/// Restores the start of the step, and wakes the body that escaped or enlarges its region.
void World::retry_after_escape(const Island& island, Index escaped) {
  const bool was_asleep = table_.bodies[escaped].is_asleep();
  restore_start();
  if (was_asleep) {
    wake(escaped);
    save_start();
  } else {
    for (const Index i : island.bodies) factor_[i] *= 2;  // the body will hit others
    factor_[escaped] *= 2;
  }
}

/// Links follow from their robots, and all links of a robot sleep together.
void World::save_start() {
  before_.clear(), before_robots_.clear();
  for (const Index rank : table_.unlinked()) before_.push_back(table_.bodies[at(rank)]);
  for (const SimulatedRobot& robot : table_.robots) {
    const SimulatedBody& leader = table_.bodies[robot.leader];
    before_robots_.push_back({robot.q, robot.v, robot.lost, leader.quiet, leader.group});
  }
}

void World::restore_start() {
  for (std::size_t k = 0; k < before_.size(); ++k)
    table_.bodies[at(table_.unlinked()[k])] = before_[k];
  for (std::size_t r = 0; r < table_.robots.size(); ++r) {
    SimulatedRobot& robot = table_.robots[r];
    const RobotStart& start = before_robots_[r];
    robot.q = start.q, robot.v = start.v, robot.lost = start.lost;
    table_.bodies[robot.leader].quiet = start.quiet;
    if (table_.bodies[robot.leader].group != start.group) table_.put_to_sleep(robot, start.group);
    robot.is_placed = false;
    robot.with(robot.v);  // springs of other robots depend on it
  }
}

/// Returns whether all links of a robot are slow.
bool World::is_slow(const SimulatedRobot& robot) {
  const LinkTree& tree = robot.moving();
  tree.frames(robot.q.data(), robot.v.data(), frames_);
  const auto speed_of = [&](Index site) {
    const MovingFrame at = tree.link(site, frames_);
    return norm(at.velocity) + tree.sites()[site].radius * norm(at.spin);
  };
  // The ball around a group contains its links.
  const auto is_slow = [&](const LinkTree::Group& group) {
    return group.site < 0 || speed_of(group.site) <= slow_in_radii * group.smallest;
  };
  if (std::all_of(tree.groups().begin(), tree.groups().end(), is_slow)) return true;
  // Links far from the ground are the fastest ones.
  for (Index i = static_cast<Index>(tree.links().size()) - 1; i >= 0; --i)
    if (tree.links()[i].joint >= 0 && speed_of(i) > slow_in_radii * tree.links()[i].radius)
      return false;
  return true;
}

/// Puts an island to sleep if all of its bodies have been slow for a while. A robot counts as one
/// body, its leader.
void World::fall_asleep(const Island& island) {
  double least = infinity;
  for (const Index i : island.bodies) {
    SimulatedBody& body = table_.bodies[i];
    if (body.is_link() && table_.robots[body.robot].leader != i) continue;
    const bool ended = body.given && body.clock >= body.given->duration;
    const bool slow = body.is_link() ? is_slow(table_.robots[body.robot])
                                     : (body.is_free() || ended) &&
                                           speed(body, {body.state.velocity, body.state.spin}) <=
                                               slow_in_radii * body.radius;
    body.quiet = slow ? body.quiet + options_.step : 0;
    least = std::min(least, body.quiet);
  }
  if (least < seconds_to_sleep) return;
  for (const Index i : island.bodies) {
    SimulatedBody& body = table_.bodies[i];
    body.group = counters_.next_group;
    body.state.velocity = body.state.spin = {0, 0, 0};
    if (!body.is_link()) continue;
    stop_robot(body.robot);
    table_.put_to_sleep(table_.robots[body.robot], body.group);
  }
  ++counters_.next_group;
}

/// Reads changes to articulated bodies as the next step will, and leaves everything unchanged.
std::vector<double> World::state() {
  const bool has_changes = std::any_of(table_.robots.begin(), table_.robots.end(),
                                       [](const SimulatedRobot& robot) { return robot.differs(); });
  std::vector<SimulatedBody> bodies;
  std::vector<SimulatedRobot> robots;
  if (has_changes) bodies = table_.bodies, robots = table_.robots, read_robots();
  table_.place_links();
  std::vector<double> numbers = save_state(counters_, table_, pairs_);
  if (has_changes) table_.bodies = bodies, table_.robots = robots;
  return numbers;
}

void World::restore(std::span<const double> state, bool is_trusted) {
  counters_ = restore_state(state, is_trusted, table_, pairs_);
  time_ = static_cast<double>(counters_.steps) * options_.step;
  for (SimulatedPair& pair : pairs_) set_pair(pair);
  impacts_.clear();
}

}  // namespace toccata
