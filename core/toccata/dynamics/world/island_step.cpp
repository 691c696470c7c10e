// Substeps of an island: list, impacts, proposal, certificate, execution.
#include "toccata/dynamics/world/island_step.hpp"

#include <algorithm>

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

constexpr int most_substeps = 48, patient_substeps = 12;
constexpr double hard_in_shells = 0.25;  // separation of motions close to others
constexpr double sight_in_radii = 0.1;   // largest distance of listed features
constexpr double sight_in_grains = 2;
constexpr double most_listed_turn = 0.3;  // for the directions of listed rows
constexpr double most_angle = 0.5;        // of a substep close to others, radians
constexpr std::size_t few_bodies = 6;
constexpr double farthest = 1e200;
constexpr double negligible_time = 1e-9;

}  // namespace

template <class Work>
void IslandStep::for_pairs(const Work& work) {
  const auto some = [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) work(k, *pairs_[k]);
  };
  if (scope_->options.threads <= 1 || pairs_.size() < 8) return some(0, pairs_.size(), 0);
  parallel_for(pairs_.size(), 4, scope_->options.threads, some);
}

IslandReport IslandStep::run(const Island& island, const IslandScope& scope) {
  island_ = &island, scope_ = &scope;
  bodies_.start(island, scope.bodies, scope.robots, scope.options.gravity);
  report_ = {};
  left_ = scope.options.step;
  is_stuck_ = false;
  events_ = 0;
  most_events_ = std::max(2, static_cast<int>(64 / bodies_.count_all()));
  pairs_.clear();
  for (const std::size_t k : island.pairs) pairs_.push_back(&scope.pairs[k]);
  travel_.assign(bodies_.count(), 0);
  const double end = negligible_time * scope.options.step;
  while (left_ > end && report_.substeps < most_substeps && !is_stuck_ && report_.escaped < 0)
    substep();
  if (left_ > end && report_.escaped < 0) {
    report_.stopped = static_cast<Count>(bodies_.count_all());
    for (const Index i : island.bodies) bodies_.hold(i);
  }
  return report_;
}

/// Advances to the next impact, or to the end of the step.
void IslandStep::substep() {
  bodies_.load(0, left_);
  list_proximities();
  if (wakes_others()) return;
  const bool bounces = events_ < 4 * most_events_;
  contacts_.start(pairs_, bodies_, left_, bounces);
  if (bounces && collides()) return;
  double tau = std::min(left_, time_of_turn());
  if (events_ < most_events_ && bodies_.has_robots()) bodies_.find_link_accelerations(left_);
  if (events_ < most_events_) tau = std::min(tau, contacts_.time_of_impact(bodies_));
  ++report_.substeps;
  double part = propose(tau);
  const bool is_truncated = part < 1;
  if (is_truncated && part > 0 && bodies_.count_all() <= few_bodies) {
    // A solution for the whole motion is inaccurate for a portion of it.
    tau *= part;
    part = propose(tau);
  }
  if (part > 0 && part < 1 && scope_->options.proposals.empty())
    part = contacts_.affordable(bodies_, tau, part);
  report_.passes += contacts_.passes();
  if (!(part > 0)) {
    if (!hold_blocked(0)) is_stuck_ = bodies_.freeze();
    return;
  }
  if (!stays_in_regions(part)) return;
  execute(tau, part);
  left_ -= part * tau;
  report_.truncated += is_truncated;
  if (part < 1 && report_.substeps > patient_substeps) hold_blocked(part);
}

void IslandStep::list_proximities() {
  const double kick = norm(scope_->options.gravity) * left_;
  for_pairs([&](std::size_t, SimulatedPair& p) {
    const SimulatedBody &a = bodies_.body(p.a), &b = bodies_.body(p.b);
    const double radius = std::min(a.radius, b.radius);
    const double reach = (bodies_.relative_speed(p, bodies_.velocities) + kick) * left_;
    // Features many triangles away seldom matter and take long to list.
    const double sight =
        std::min({1.1 * reach, sight_in_radii * radius,
                  sight_in_grains * std::max(std::min(a.grain, b.grain), p.shell)});
    // Contacts turn bodies, and other features may then be the closest.
    const double turn = std::min((2 * reach + 4 * p.shell) / radius, most_listed_turn);
    toccata::list_proximities(p, a, b, 2 * p.shell + sight, turn);
  });
  for (const SimulatedPair* const p : pairs_)
    if (!p->proximities.empty())
      report_.least_distance = std::min(report_.least_distance, p->proximities.front().distance);
}

/// Returns whether a moving body reaches a sleeping one, which then wakes up.
bool IslandStep::wakes_others() {
  for (const SimulatedPair* const p : pairs_) {
    const SimulatedBody &a = bodies_.body(p->a), &b = bodies_.body(p->b);
    if (!(a.is_asleep() || b.is_asleep()) || p->proximities.empty()) continue;
    const bool given = a.kind == BodyKind::kinematic || b.kind == BodyKind::kinematic;
    const double speed = bodies_.relative_speed(*p, bodies_.velocities);
    if (speed > (given ? 0 : p->impact_speed / 2) &&
        p->proximities.front().distance < 1.5 * p->shell + speed * left_) {
      report_.escaped = a.is_asleep() ? p->a : p->b;
      return true;
    }
  }
  return false;
}

/// Solves impacts with restitution at the time when they occur. If there are too many, all that are
/// to follow occur at once.
bool IslandStep::collides() {
  if (!contacts_.collide(bodies_, events_ >= most_events_)) return false;
  ++events_;
  report_.passes += contacts_.passes();
  contacts_.note_impacts(now(), scope_->impacts);
  return true;
}

/// Returns the time for which rows are accurate: until a body close to another has turned too far.
double IslandStep::time_of_turn() const {
  double fastest = 0;
  for (const SimulatedPair* const p : pairs_) {
    if (p->proximities.empty()) continue;
    for (const Index i : {p->a, p->b})
      fastest = std::max(fastest, norm(bodies_.velocity(bodies_.velocities, i).angular));
  }
  return std::max(most_angle / fastest, scope_->options.step / patient_substeps);
}

/// Proposes a motion of tau seconds. Returns its proven portion.
double IslandStep::propose(double tau) {
  bodies_.load(tau / 2, tau);
  contacts_.solve_velocities(bodies_, tau);
  bodies_.prepare_execution(tau);
  if (scope_->options.proposals.empty()) {
    contacts_.solve_positions(bodies_, tau);
  } else {
    take_proposals();
  }
  return certify(tau);
}

void IslandStep::take_proposals() {
  const std::vector<BodyVelocity>& given = scope_->options.proposals;
  for (std::size_t k = 0; k < bodies_.count(); ++k) {
    if (!bodies_.moves(k) || bodies_.at(k).is_link()) continue;
    const BodyVelocity& v = given[static_cast<std::size_t>(proposed_++) % given.size()];
    bodies_.executed.velocity[k] = bodies_.velocities.velocity[k] = v.linear;
    bodies_.executed.spin[k] = bodies_.velocities.spin[k] = v.angular;
  }
  for (std::size_t r = 0; r < bodies_.robots().size(); ++r) {
    if (!bodies_.robot_moves(r)) continue;
    std::vector<double> rates = bodies_.velocities.rates[r];
    // The components of velocities, one after the other.
    for (double& rate : rates) {
      const BodyVelocity& v = given[static_cast<std::size_t>(proposed_ / 6) % given.size()];
      const double numbers[] = {v.linear.x,  v.linear.y,  v.linear.z,
                                v.angular.x, v.angular.y, v.angular.z};
      rate = numbers[proposed_++ % 6];
    }
    bodies_.propose(r, rates);
  }
}

double IslandStep::certify(double tau) {
  until_.assign(pairs_.size(), 1);
  motions_.start(bodies_, tau);
  for_pairs([&](std::size_t k, SimulatedPair& p) {
    const std::pair<Motion, Motion> motions = motions_.of(p);
    const IslandMotions::Balls balls = motions_.balls(p);
    const PairMotion motion{
        {*bodies_.body(p.a).mesh, motions.first},
        {*bodies_.body(p.b).mesh, motions.second},
        p.distance(),
        p.proven_distance,
        p.proximities.empty() ? p.shell : hard_in_shells * p.shell,
        p.floor,
        motions_.relative_travel(p),
        motions_.rounding(p),
        balls.first,
        balls.second,
        p.coherence,
    };
    until_[k] = toccata::certify(motion);
  });
  return until_.empty() ? 1 : *std::min_element(until_.begin(), until_.end());
}

bool IslandStep::stays_in_regions(double part) {
  for (std::size_t k = 0; k < bodies_.count(); ++k) {
    const Index i = bodies_.index(k);
    if (bodies_.at(k).is_link()) continue;
    travel_[k] += motions_.travel(i, part);
    // Under large forces a region may be unbounded, but an executed motion must not be.
    if (!(travel_[k] <= std::min(scope_->reach[i], farthest))) report_.escaped = i;
  }
  for (std::size_t r = 0; r < bodies_.robots().size(); ++r) {
    SimulatedRobot& robot = *bodies_.robots()[r];
    motions_.add_travel(r, part);
    const std::span<const LinkTree::Group> groups = robot.reach_tree().groups();
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (groups[g].first >= 0 &&
          !(robot.reach.travel[g] <= std::min(robot.reach.most[g], farthest)))
        report_.escaped = robot.bodies[groups[g].first];
  }
  return report_.escaped < 0;
}

void IslandStep::execute(double tau, double part) {
  const double duration = part * tau;
  const std::size_t known = scope_->impacts.size();
  contacts_.note_impacts(now() + duration, scope_->impacts);
  record(duration);
  contacts_.look_ahead(bodies_, duration);
  const double allowed = bodies_.execute(duration, duration - tau / 2, report_.lift);
  contacts_.settle(bodies_, tau);
  contacts_.take_energy(bodies_, allowed);
  contacts_.add_to_impacts(known, scope_->impacts);
}

void IslandStep::record(double duration) {
  StepRecord* const to = scope_->record;
  if (!to) return;
  const double start = scope_->options.step - left_;
  for (std::size_t r = 0; r < bodies_.robots().size(); ++r) {
    const SimulatedRobot& robot = *bodies_.robots()[r];
    const std::span<const Index> groups = robot.body->groups();
    to->robots.push_back({robot.name,
                          start,
                          start + duration,
                          robot.q,
                          bodies_.executed.rates[r],
                          {groups.begin(), groups.end()}});
  }
  for (std::size_t k = 0; k < bodies_.count(); ++k) {
    if (bodies_.at(k).is_link()) continue;
    to->body.push_back(bodies_.index(k));
    to->start.push_back(start), to->end.push_back(start + duration);
    to->before.push_back(bodies_.at(k).pose());
    to->velocity.push_back(bodies_.velocity(bodies_.executed, bodies_.index(k)));
  }
}

}  // namespace toccata
