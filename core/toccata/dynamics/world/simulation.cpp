#include "toccata/dynamics/world/simulation.hpp"

#include <algorithm>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

constexpr double floor_in_shells = 1.0 / 16;
constexpr double slow_in_shells = 0.1;  // per step
constexpr double slow_in_radii = 0.02;  // per second
constexpr double seconds_to_sleep = 0.5;
constexpr double margin_in_radii = 0.02;
constexpr int most_tries = 40;

Box box_of(const SimulatedBody& body) {
  const Pose pose = body.pose();
  const Vec3d middle = pose * body.middle;
  const Mat3d& r = pose.rotation;
  const Vec3d half = abs(r.x) * body.half.x + abs(r.y) * body.half.y + abs(r.z) * body.half.z;
  return {middle - half, middle + half};
}

}  // namespace

double Simulation::shell(Index a, Index b) const {
  if (options_.shell > 0) return options_.shell;
  const bool fixed_a = bodies_[a].kind == BodyKind::fixed;
  const bool fixed_b = bodies_[b].kind == BodyKind::fixed;
  if (fixed_a != fixed_b) return shell_in_radii * bodies_[fixed_a ? b : a].radius;
  return shell_in_radii * std::min(bodies_[a].radius, bodies_[b].radius);
}

double Simulation::least_shell() const {
  if (options_.shell > 0) return options_.shell;
  double least = infinity;
  for (const SimulatedBody& body : bodies_)
    if (body.kind != BodyKind::fixed) least = std::min(least, shell_in_radii * body.radius);
  return least;
}

double Simulation::energy() const {
  double sum = 0;
  for (const SimulatedBody& body : bodies_)
    if (body.is_free() && !body.is_link())
      sum += kinetic_energy(body.state, body.mass) -
             body.mass.mass * dot(options_.gravity, body.state.center);
  for (const SimulatedRobot& robot : robots_) sum += robot.with(robot.v).energy();
  return sum;
}

void Simulation::wake(Index i) {
  const Index group = bodies_[i].group;
  for (SimulatedBody& body : bodies_)
    if (&body == &bodies_[i] || (group >= 0 && body.group == group))
      body.group = -1, body.quiet = 0;
}

void Simulation::wake_all() {
  for (SimulatedBody& body : bodies_) body.quiet = 0, body.group = -1;
}

void Simulation::find_regions() {
  const double h = options_.step;
  regions_.clear();
  reach_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SimulatedBody& body = bodies_[i];
    const bool moves = body.kind != BodyKind::fixed && !body.is_asleep();
    double travel = 0;
    if (body.kind == BodyKind::kinematic) {
      travel = speed(body, kinematic_velocity(body, h)) * h;
    } else if (moves) {
      const double pull = body.is_link()
                              ? norm(options_.gravity)
                              : norm(options_.gravity) + norm(body.force) / body.mass.mass +
                                    body.radius * norm(inverse(body.mass.inertia) * body.torque);
      travel = (speed(body, {body.state.velocity, body.state.spin}) + pull * h) * h;
    }
    const double shell = options_.shell > 0 ? options_.shell : shell_in_radii * body.radius;
    reach_[i] = moves ? factor_[i] * (travel + margin_in_radii * body.radius) : 0;
    const Box box = box_of(body);
    // Far larger than rounding errors of the corners of boxes.
    const double slack = 0x1p-40 * (norm1(box.lo) + norm1(box.hi));
    regions_.push_back({grown(box, reach_[i] + shell + slack), body.kind != BodyKind::fixed,
                        body.is_link() ? robots_[body.robot].connected : -1});
  }
}

/// Returns the distance below which rounding errors matter; see `certify`.
double Simulation::resolution(Index a, Index b) const {
  const Motion at_a = resting(a), at_b = resting(b);
  return resolution_of({*bodies_[a].mesh, at_a}, {*bodies_[b].mesh, at_b}) +
         resolution_in_errors * (rounding(a) + rounding(b));
}

void Simulation::set_pair(SimulatedPair& pair) const {
  const Material &a = bodies_[pair.a].material, &b = bodies_[pair.b].material;
  pair.shell = shell(pair.a, pair.b);
  pair.friction = std::sqrt(a.friction * b.friction);
  pair.restitution = std::max(a.restitution, b.restitution);
  // A body at rest gains the speed |g| h in a step, which is no impact.
  pair.impact_speed = std::max(2 * norm(options_.gravity) * options_.step,
                               slow_in_shells * pair.shell / options_.step);
}

/// Keeps the data of pairs that are still close.
void Simulation::renew_pairs(std::span<const RegionPair> found) {
  std::swap(pairs_, old_pairs_);
  pairs_.clear();
  auto old = old_pairs_.begin();
  for (const auto& [a, b] : found) {
    while (old != old_pairs_.end() && std::pair(old->a, old->b) < std::pair(a, b)) ++old;
    if (old != old_pairs_.end() && old->a == a && old->b == b) {
      pairs_.push_back(std::move(*old));
    } else {
      SimulatedPair& pair = pairs_.emplace_back();
      pair.a = a, pair.b = b;
      set_pair(pair);
    }
    if (bodies_[a].is_asleep() && bodies_[b].is_asleep()) continue;
    pairs_.back().floor = std::max(floor_in_shells * pairs_.back().shell, resolution(a, b));
  }
}

Simulation::Obstacle Simulation::obstacle() {
  rest_robots();
  std::vector<Region> regions;
  for (const SimulatedBody& body : bodies_) {
    const double shell = options_.shell > 0 ? options_.shell : shell_in_radii * body.radius;
    regions.push_back({grown(box_of(body), shell), body.kind != BodyKind::fixed});
  }
  for (const auto& [a, b] : find_pairs(regions)) {
    if (bodies_[a].is_certified && bodies_[b].is_certified) continue;
    const Motion at_a = resting(a), at_b = resting(b);
    const double least = std::max(floor_in_shells * shell(a, b), resolution(a, b));
    const Body body_a{*bodies_[a].mesh, at_a}, body_b{*bodies_[b].mesh, at_b};
    const double apart = distance(body_a, body_b).lower;
    if (!(apart > least)) return {a, b, apart, least};
    Options options;
    options.tolerance = least / 4;
    // Bodies may be inside of solids.
    if (first_contact(body_a, body_b, options).status != Status::free) return {a, b, 0, least};
  }
  for (SimulatedBody& body : bodies_) body.is_certified = true;
  return {};
}

bool Simulation::is_certified() const {
  return std::all_of(bodies_.begin(), bodies_.end(),
                     [](const SimulatedBody& body) { return body.is_certified; });
}

std::vector<SimulatedContact> Simulation::contacts() const {
  std::vector<SimulatedContact> found;
  for (const SimulatedPair& pair : pairs_)
    for (const Bearing& bearing : pair.bearings)
      found.push_back({pair.a, pair.b, bearing.point, bearing.normal, bearing.distance,
                       bearing.impulse * (1 / pair.duration)});
  return found;
}

StepReport Simulation::step(StepRecord* record) {
  adapt_robots();
  connect_robots();
  save_start();
  factor_.assign(bodies_.size(), 1.5);
  StepReport report;
  int tries = 0;
  try {
    while (tries < most_tries && !try_step(report, record)) ++tries;
  } catch (...) {
    restore_start();  // interrupted
    throw;
  }
  if (tries == most_tries) {  // no certified step was found
    report = {.stopped = static_cast<Count>(bodies_.size())};
    impacts_.clear();
    if (record) *record = {};
    for (SimulatedBody& body : bodies_) body.state.velocity = body.state.spin = {0, 0, 0};
    for (std::size_t r = 0; r < robots_.size(); ++r) stop_robot(static_cast<Index>(r));
  }
  for (SimulatedBody& body : bodies_) body.force = body.torque = {0, 0, 0};
  finish_robots();
  time_ = static_cast<double>(++steps_) * options_.step;
  return report;
}

/// Advances all islands. Returns false, and restores the start, if a body would leave its region.
bool Simulation::try_step(StepReport& report, StepRecord* record) {
  report = {};
  impacts_.clear();
  if (record) *record = {};
  find_regions();
  rest_robots();
  const std::vector<RegionPair>& found = find_pairs(regions_);
  renew_pairs(found);
  for (const Island& island : find_islands(regions_, found)) {
    const bool is_asleep = std::all_of(island.bodies.begin(), island.bodies.end(),
                                       [&](Index i) { return bodies_[i].is_asleep(); });
    if (is_asleep) continue;
    const IslandReport one = island_step_.run(
        island, {options_, bodies_, robots_, pairs_, reach_, time_, impacts_, record});
    if (one.escaped >= 0) {
      const bool was_asleep = bodies_[one.escaped].is_asleep();
      restore_start();
      if (was_asleep) {
        wake(one.escaped);
        before_ = bodies_;
      } else {
        for (const Index i : island.bodies) factor_[i] *= 2;  // the body will hit others
        factor_[one.escaped] *= 2;
      }
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
      for (const Index i : island.bodies) bodies_[i].quiet = 0;  // stuck bodies are not at rest
    } else if (options_.sleeping) {
      fall_asleep(island);
    }
  }
  for (const SimulatedBody& body : bodies_) report.awake += body.is_free() && !body.is_asleep();
  return true;
}

/// Puts an island to sleep if all of its bodies have been slow for a while.
void Simulation::fall_asleep(const Island& island) {
  double least = infinity;
  for (const Index i : island.bodies) {
    SimulatedBody& body = bodies_[i];
    const bool ended = body.given && body.clock >= body.given->duration;
    const bool slow = (body.is_free() || ended) &&
                      speed(body, {body.state.velocity, body.state.spin}) <=
                          slow_in_radii * body.radius;
    body.quiet = slow ? body.quiet + options_.step : 0;
    least = std::min(least, body.quiet);
  }
  if (least < seconds_to_sleep) return;
  for (const Index i : island.bodies) {
    SimulatedBody& body = bodies_[i];
    body.group = next_group_;
    body.state.velocity = body.state.spin = {0, 0, 0};
    if (body.is_link()) stop_robot(body.robot);
  }
  ++next_group_;
}

}  // namespace toccata
