// Impulses and impacts of an island: targets of the contact solver, warm start, and passes.
#include "toccata/dynamics/world/island_contacts.hpp"

#include <algorithm>

#include "toccata/dynamics/certify/certifier.hpp"

namespace toccata {
namespace {

constexpr double rest_in_shells =
    1.05;  // closer features keep their distance, so that forces do not depend on rounding
constexpr double inside_in_shells = 0.95;  // closer features do not approach at all
constexpr double bearing_in_shells = 1.1;  // closer features bear at the end of a substep
constexpr double hit_in_shells = 1.2;      // distance of impacts with restitution
constexpr double impact_in_shells = 1.1;   // distance to which bodies approach for an impact
constexpr double negligible_in_shells = 0.02;
constexpr int most_rounds = 8;     // alternations of contacts and limits of joints
constexpr int most_halvings = 20;  // halvings of a motion that ends too high

/// Returns a number of passes that decreases with the number of rows.
int passes_for(std::size_t rows, double work, int least, int most) {
  return std::clamp(static_cast<int>(work / static_cast<double>(rows + 1)), least, most);
}

}  // namespace

bool ContactRow::touches() const { return proximity->distance <= touching_in_shells * pair->shell; }

void IslandContacts::start(std::span<SimulatedPair* const> pairs, IslandBodies& bodies,
                           double duration, bool bounces) {
  pairs_ = pairs;
  passes_ = 0;
  rows_.clear();
  for (SimulatedPair* const p : pairs)
    for (const Proximity& features : p->proximities)
      if (features.normal.x == features.normal.x)
        rows_.push_back({p, &features});  // otherwise too close for a normal
  implied_.erase(rows_, bodies, duration);
  const double ahead = bounces ? duration : 0;
  for (ContactRow& row : rows_) {
    const SimulatedPair& p = *row.pair;
    const double distance = row.proximity->distance;
    row.approach = bodies.rate(p, row.point(), row.proximity->normal, bodies.velocities);
    row.is_coming = p.restitution > 0 && distance > hit_in_shells * p.shell &&
                    row.approach < -p.impact_speed &&
                    distance - impact_in_shells * p.shell < -row.approach * ahead * 1.5;
  }
  if (!bodies.has_robots()) return;
  // Only features that may bear need mobilities.
  find_mobilities(bodies, [&](const ContactRow& row) {
    return row.proximity->distance + std::min(row.approach * ahead, 0.0) <=
           touching_in_shells * row.pair->shell;
  });
}

template <class Touches>
void IslandContacts::find_mobilities(IslandBodies& bodies, const Touches& touches) {
  touched_.clear();
  for (const ContactRow& row : rows_)
    if (touches(row)) touched_.insert(touched_.end(), {row.pair->a, row.pair->b});
  mobilities_.activate(bodies, touched_);
  touched_.clear();
  for (const ContactRow& row : rows_) touched_.insert(touched_.end(), {row.pair->a, row.pair->b});
  mobilities_.find(bodies, touched_);
}

void IslandContacts::clear() {
  chosen_.clear();
  contacts_.body_a.clear(), contacts_.body_b.clear();
  contacts_.arm_a.clear(), contacts_.arm_b.clear();
  contacts_.normal.clear(), contacts_.friction.clear();
  contacts_.target.clear(), contacts_.impulse.clear();
}

/// The position of an impulse along its normal has no effect.
void IslandContacts::add(const IslandBodies& bodies, const ContactRow& row, const RowAfter& where,
                         double target) {
  const SimulatedPair& p = *row.pair;
  chosen_.push_back(&row);
  contacts_.body_a.push_back(bodies.slot(p.a));
  contacts_.body_b.push_back(bodies.slot(p.b));
  contacts_.arm_a.push_back(where.point - bodies.body(p.a).state.center);
  contacts_.arm_b.push_back(where.point - bodies.body(p.b).state.center);
  contacts_.normal.push_back(where.normal);
  contacts_.friction.push_back(p.friction);
  contacts_.target.push_back(target);
  contacts_.impulse.push_back({0, 0, 0});
}

void IslandContacts::add_here(const IslandBodies& bodies, const ContactRow& row, double target) {
  add(bodies, row, {row.point(), row.proximity->normal, row.proximity->distance}, target);
}

bool IslandContacts::collide(IslandBodies& bodies, bool early) {
  clear();
  restitution_.clear();
  bool hits = false;
  for (const ContactRow& row : rows_) {
    const SimulatedPair& p = *row.pair;
    if (!row.touches() && !(early && row.is_coming)) continue;
    const bool is_fast = p.restitution > 0 && row.approach < -p.impact_speed;
    hits |= is_fast && (early || row.proximity->distance <= hit_in_shells * p.shell);
    add_here(bodies, row, 0);
    restitution_.push_back(is_fast ? p.restitution : 0);
  }
  if (!hits) return false;
  const ContactSolverOptions how{1e-9, passes_for(chosen_.size(), 60'000, 100, 2000)};
  passes_ += solver_.solve_impact(bodies.velocities, contacts_, restitution_, how).passes;
  impulses_ = contacts_.impulse;
  mobilities_.push_robots(bodies, bodies.velocities, contacts_);
  bodies.store();
  return true;
}

double IslandContacts::time_of_impact(const IslandBodies& bodies) const {
  double first = infinity;
  for (const ContactRow& row : rows_) {
    if (!row.is_coming) continue;
    const SimulatedPair& p = *row.pair;
    const double left = row.proximity->distance - impact_in_shells * p.shell;
    const double pull =
        dot(row.proximity->normal, bodies.acceleration(p.a) - bodies.acceleration(p.b));
    const double root = row.approach * row.approach - 2 * pull * left;
    if (root > 0) first = std::min(first, 2 * left / (-row.approach + std::sqrt(root)));
  }
  return first;
}

/// Starts from the impulses of the last substep, scaled to the duration in which forces act.
void IslandContacts::warm_start(double duration) {
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const SimulatedPair& p = *chosen_[k]->pair;
    if (p.duration > 0)
      contacts_.impulse[k] = p.last_impulse(*chosen_[k]->proximity) * (duration / p.duration);
  }
}

/// Solves for impulses from their start values. A few bodies without friction start from the exact
/// solution: an error along the normal would lift them, and `take_energy` would then brake them. If
/// friction converges slowly, a few bodies start again from the normal impulses without friction.
void IslandContacts::solve(IslandBodies& bodies, ContactSolverOptions how) {
  const bool is_small = this->is_small(bodies);
  how.progress = is_small ? infinity : 0.9;
  const bool is_smooth = std::all_of(contacts_.friction.begin(), contacts_.friction.end(),
                                     [](double friction) { return friction == 0; });
  if (is_small && is_smooth && small_.solve(bodies.velocities, contacts_))
    small_.set_pressures(contacts_);
  if (is_small) tried_ = bodies.velocities, tried_contacts_ = contacts_;
  const ContactSolverReport first = solver_.solve(bodies.velocities, contacts_, how);
  passes_ += first.passes;
  mobilities_.push_robots(bodies, bodies.velocities, contacts_);
  if (!is_small || first.converged || !small_.solve(tried_, tried_contacts_)) return;
  std::fill(tried_contacts_.impulse.begin(), tried_contacts_.impulse.end(), Vec3d{0, 0, 0});
  small_.set_pressures(tried_contacts_);
  const ContactSolverReport second = solver_.solve(tried_, tried_contacts_, how);
  passes_ += second.passes;
  if (second.change < first.change)
    std::swap(bodies.velocities, tried_), std::swap(contacts_, tried_contacts_);
}

/// Solves for contacts and for limits of joints in turns; both only take energy.
void IslandContacts::solve_with_limits(IslandBodies& bodies, const ContactSolverOptions& how,
                                       double tau) {
  solve(bodies, how);
  if (!bodies.has_robots()) return;
  for (int round = 0; round < most_rounds && bodies.stop_at_limits(tau); ++round) {
    impulses_ = contacts_.impulse;
    std::fill(contacts_.impulse.begin(), contacts_.impulse.end(), Vec3d{0, 0, 0});
    passes_ += solver_.solve(bodies.velocities, contacts_, how).passes;
    mobilities_.push_robots(bodies, bodies.velocities, contacts_);
    for (std::size_t k = 0; k < impulses_.size(); ++k)
      contacts_.impulse[k] = contacts_.impulse[k] + impulses_[k];
  }
}

/// Features may approach to the shell, and closer ones keep their distance. Points of rolling
/// bodies move on curves and turn away before they arrive, so they may approach faster.
void IslandContacts::solve_velocities(IslandBodies& bodies, double tau) {
  clear();
  bodies.displace(bodies.velocities, tau);
  for (const ContactRow& row : rows_) {
    if (row.is_coming) continue;
    const SimulatedPair& p = *row.pair;
    const Proximity& features = *row.proximity;
    const double gap = row_after(features, bodies.displaced(p.a), bodies.displaced(p.b)).gap;
    const double straight = features.distance +
                            bodies.rate(p, row.point(), features.normal, bodies.velocities) * tau;
    const double room = std::max(features.distance - rest_in_shells * p.shell, 0.0);
    const bool is_inside = features.distance < inside_in_shells * p.shell;
    const double curve = is_inside ? 0 : std::max(gap - straight, 0.0);
    add_here(bodies, row, -(room + curve) / tau);
  }
  warm_start(tau / 2);
  solve_with_limits(bodies, {1e-6, passes_for(chosen_.size(), 120'000, 50, 1000)}, tau);
  impulses_ = contacts_.impulse;
  if (bodies.has_robots()) bodies.accounts.afford(bodies, touching(bodies), tau);
}

/// Returns whether there is anything to correct. Features inside the shell must not approach at the
/// start either, because a curved path may come closer than both of its ends.
bool IslandContacts::set_position_targets(IslandBodies& bodies, double tau) {
  bodies.displace(bodies.executed, tau);
  bool needed = false;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const SimulatedPair& p = *chosen_[k]->pair;
    const Proximity& features = *chosen_[k]->proximity;
    const double least = std::min(p.shell, features.distance + recovery_in_shells * p.shell);
    const double excess = row_after(features, bodies.displaced(p.a), bodies.displaced(p.b)).gap -
                          least;
    const double rate = bodies.rate(p, chosen_[k]->point(), features.normal, bodies.executed);
    contacts_.target[k] = rate - excess / tau;
    if (features.distance < inside_in_shells * p.shell)
      contacts_.target[k] = std::max(contacts_.target[k], (least - features.distance) / tau);
    contacts_.friction[k] = 0;
    contacts_.impulse[k] = {0, 0, 0};
    needed |= excess < -negligible_in_shells * p.shell;
  }
  return needed;
}

void IslandContacts::solve_positions(IslandBodies& bodies, double tau) {
  for (int round = 0; round < 2 && set_position_targets(bodies, tau); ++round) {
    if (is_small(bodies) && small_.solve(bodies.executed, contacts_)) {
      small_.set_velocities(bodies.executed);
      continue;
    }
    const ContactSolverOptions how{1e-4, passes_for(chosen_.size(), 60'000, 60, 300), 0.9};
    passes_ += solver_.solve(bodies.executed, contacts_, how).passes;
    mobilities_.push_robots(bodies, bodies.executed, contacts_);
  }
}

void IslandContacts::look_ahead(IslandBodies& bodies, double duration) {
  bodies.displace(bodies.executed, duration);
  for (ContactRow& row : rows_)
    row.after =
        row_after(*row.proximity, bodies.displaced(row.pair->a), bodies.displaced(row.pair->b));
}

void IslandContacts::settle(IslandBodies& bodies, double tau) {
  bodies.load(0, tau);
  const auto bears = [](const ContactRow& row) {
    return row.after.gap <= bearing_in_shells * row.pair->shell;
  };
  if (bodies.has_robots()) find_mobilities(bodies, bears);
  clear();
  for (const ContactRow& row : rows_) {
    const SimulatedPair& p = *row.pair;
    if (!bears(row)) continue;
    const double rate = bodies.rate(p, row.after.point, row.after.normal, bodies.velocities);
    if (p.restitution > 0 && rate < -p.impact_speed) continue;
    add(bodies, row, row.after, 0);
  }
  warm_start(tau / 2);
  solve_with_limits(bodies, {1e-6, passes_for(chosen_.size(), 80'000, 20, 1000)}, tau);
  bodies.store();
  remember(tau / 2);
}

void IslandContacts::remember(double duration) {
  for (SimulatedPair* const p : pairs_) p->bearings.clear(), p->duration = duration;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const ContactRow& row = *chosen_[k];
    row.pair->bearings.push_back({row.proximity->kind, row.proximity->vertices_a,
                                  row.proximity->vertices_b, row.after.point, row.after.normal,
                                  row.after.gap, contacts_.impulse[k]});
  }
}

/// Returns a mark for each slot: whether the body has features close to others.
const std::vector<bool>& IslandContacts::touching(const IslandBodies& bodies) {
  touches_.assign(bodies.count(), false);
  for (const ContactRow& row : rows_)
    for (const Index i : {row.pair->a, row.pair->b})
      if (bodies.slot(i) >= 0) touches_[bodies.slot(i)] = true;
  return touches_;
}

double IslandContacts::affordable(IslandBodies& bodies, double tau, double part) {
  if (!bodies.has_robots()) return part;
  const std::vector<bool>& touches = touching(bodies);
  double least = part;
  for (int halving = 0; halving < most_halvings; ++halving, least /= 2)
    if (bodies.accounts.affords(bodies, touches, least * tau)) return least;
  return part;
}

void IslandContacts::take_energy(IslandBodies& bodies, double allowed) {
  if (bodies.has_robots()) allowed += bodies.accounts.keep(bodies);
  const double excess = bodies.energy() - allowed;
  if (excess > 0 && !bodies.accounts.is_driven(bodies))
    bodies.accounts.take(bodies, touching(bodies), excess);
}

/// An impact is faster than the approach of a body at rest. Adds one for each pair.
void IslandContacts::note_impacts(double time, std::vector<Impact>& impacts) const {
  for (std::size_t k = 0; k < chosen_.size();) {
    const SimulatedPair& p = *chosen_[k]->pair;
    Impact impact{time, p.a, p.b, {}, {}, {0, 0, 0}, 0};
    double most = 0;
    for (; k < chosen_.size() && chosen_[k]->pair == &p; ++k) {
      const double along = dot(impulses_[k], contacts_.normal[k]);
      impact.impulse = impact.impulse + impulses_[k];
      if (!(along > 0)) continue;
      impact.speed = std::max(impact.speed, -chosen_[k]->approach);
      if (along <= most) continue;
      most = along;
      impact.point = chosen_[k]->point(), impact.normal = contacts_.normal[k];
    }
    if (impact.speed > p.impact_speed) impacts.push_back(impact);
  }
}

void IslandContacts::add_to_impacts(std::size_t first, std::vector<Impact>& impacts) const {
  for (std::size_t i = first; i < impacts.size(); ++i)
    for (std::size_t k = 0; k < chosen_.size(); ++k)
      if (chosen_[k]->pair->a == impacts[i].a && chosen_[k]->pair->b == impacts[i].b)
        impacts[i].impulse = impacts[i].impulse + contacts_.impulse[k];
}

}  // namespace toccata
