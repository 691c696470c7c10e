// Passes of block Gauss-Seidel over contacts with friction disks.
#include "toccata/dynamics/solver/contact_solver.hpp"

#include <numeric>

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {
namespace {

constexpr int passes_per_round = 8, rounds_to_progress = 3;

Vec3d point_velocity(const BodyVelocities& bodies, Index body, const Vec3d& arm) {
  if (body < 0) return {0, 0, 0};
  return bodies.velocity[body] + cross(bodies.spin[body], arm);
}

Vec3d relative_velocity(const BodyVelocities& bodies, const ContactPoints& contacts,
                        std::size_t k) {
  return point_velocity(bodies, contacts.body_a[k], contacts.arm_a[k]) -
         point_velocity(bodies, contacts.body_b[k], contacts.arm_b[k]);
}

void push_links(BodyVelocities& bodies, Index body, const Vec3d& force, const Vec3d& torque) {
  if (!(bodies.inverse_mass[body] > 0)) return;
  const LinkMobilities& links = *bodies.links;
  const LinkMobilities::Listed& listed = links.articulated[links.owner[body]];
  const std::size_t count = listed.bodies.size();
  const Mobility* block = &listed.blocks[links.slot[body]];
  for (std::size_t k = 0; k < count; ++k, block += count) {
    Vec3d &velocity = bodies.velocity[listed.bodies[k]], &spin = bodies.spin[listed.bodies[k]];
    velocity = velocity + block->velocity_by_force * force + block->velocity_by_torque * torque;
    spin = spin + block->spin_by_force * force + block->spin_by_torque * torque;
  }
}

void push(BodyVelocities& bodies, Index body, const Vec3d& arm, const Vec3d& impulse) {
  if (body < 0) return;
  if (bodies.is_link(body)) return push_links(bodies, body, impulse, cross(arm, impulse));
  bodies.velocity[body] = bodies.velocity[body] + impulse * bodies.inverse_mass[body];
  bodies.spin[body] = bodies.spin[body] + bodies.inverse_inertia[body] * cross(arm, impulse);
}

void push_both(BodyVelocities& bodies, const ContactPoints& contacts, std::size_t k,
               const Vec3d& impulse) {
  push(bodies, contacts.body_a[k], contacts.arm_a[k], impulse);
  push(bodies, contacts.body_b[k], contacts.arm_b[k], -impulse);
}

/// Returns the velocity of a point of link a per unit of impulse at a point of link b.
Mat3d link_response(const LinkMobilities& links, Index a, const Vec3d& arm_a, Index b,
                    const Vec3d& arm_b) {
  const LinkMobilities::Listed& listed = links.articulated[links.owner[a]];
  const Mobility& m =
      listed.blocks[links.slot[a] * listed.bodies.size() + static_cast<std::size_t>(links.slot[b])];
  const Mat3d across = skew(arm_b);
  const Mat3d velocity = m.velocity_by_force + m.velocity_by_torque * across;
  return velocity + transposed(skew(arm_a)) * (m.spin_by_force + m.spin_by_torque * across);
}

/// Returns the velocity of a point of a body per unit of impulse there.
Mat3d response(const BodyVelocities& bodies, Index body, const Vec3d& arm) {
  if (body < 0) return {};
  if (bodies.is_link(body))
    return bodies.inverse_mass[body] > 0 ? link_response(*bodies.links, body, arm, body, arm)
                                         : Mat3d{};
  const Mat3d across = skew(arm);
  return identity3 * bodies.inverse_mass[body] +
         across * (bodies.inverse_inertia[body] * transposed(across));
}

/// Returns the relative velocity at a contact per unit of impulse. Two links of one articulated
/// body also move each other.
Mat3d response(const BodyVelocities& bodies, const ContactPoints& contacts, std::size_t k) {
  const Index a = contacts.body_a[k], b = contacts.body_b[k];
  const Vec3d &arm_a = contacts.arm_a[k], &arm_b = contacts.arm_b[k];
  const Mat3d sum = response(bodies, a, arm_a) + response(bodies, b, arm_b);
  if (a < 0 || b < 0 || !bodies.is_link(a) || !(bodies.inverse_mass[a] > 0) ||
      bodies.links->owner[a] != bodies.links->owner[b])
    return sum;
  const Mat3d both = link_response(*bodies.links, a, arm_a, b, arm_b) +
                     link_response(*bodies.links, b, arm_b, a, arm_a);
  return sum + both * -1.0;
}

double size(const Mat3d& m) { return largest({largest(m.x), largest(m.y), largest(m.z)}); }

/// Bounds the rounding errors of a link's response. Its terms cancel where no joint can move at the
/// contact, or where both links are in one rigid group, and the recursions that compute mobilities
/// have lost some digits before.
double rounding(const BodyVelocities& bodies, Index body, const Vec3d& arm) {
  if (body < 0 || !bodies.is_link(body) || !(bodies.inverse_mass[body] > 0)) return 0;
  const LinkMobilities::Listed& listed = bodies.links->articulated[bodies.links->owner[body]];
  const auto slot = static_cast<std::size_t>(bodies.links->slot[body]);
  const Mobility& m = listed.blocks[slot * listed.bodies.size() + slot];
  const double lever = norm(arm);
  const double mixed = size(m.velocity_by_torque) + size(m.spin_by_force);
  return 1e-10 * (size(m.velocity_by_force) + lever * (mixed + lever * size(m.spin_by_torque)));
}

/// Returns the larger eigenvalue of a symmetric matrix in the plane perpendicular to a normal.
double largest_across(const Mat3d& m, const Vec3d& normal) {
  const Vec3d s = unit(cross(normal, far_axis(normal))), t = cross(normal, s);
  const double a = dot(s, m * s), b = dot(t, m * t), c = dot(s, m * t);
  return (a + b) / 2 + std::hypot((a - b) / 2, c);
}

/// Returns the nearest vector of at most this length.
Vec3d shortened(const Vec3d& v, double length) {
  const double size = norm(v);
  return size > length ? v * (length / size) : v;
}

bool has_body(Index body, std::size_t count) {
  return body >= -1 && body < static_cast<Index>(count);
}

}  // namespace

void ContactSolver::prepare(const BodyVelocities& bodies, const ContactPoints& contacts) {
  responses_.resize(contacts.count());
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    expects(has_body(contacts.body_a[k], bodies.velocity.size()) &&
                has_body(contacts.body_b[k], bodies.velocity.size()),
            "contacts", "expected bodies that exist");
    const Vec3d& normal = contacts.normal[k];
    const Mat3d velocity = response(bodies, contacts, k);
    const double nothing = rounding(bodies, contacts.body_a[k], contacts.arm_a[k]) +
                           rounding(bodies, contacts.body_b[k], contacts.arm_b[k]);
    const double along = dot(normal, velocity * normal);
    const double tangent = largest_across(velocity, normal);
    responses_[k] = {contacts.body_a[k],
                     contacts.body_b[k],
                     normal,
                     cross(contacts.arm_a[k], normal),
                     cross(contacts.arm_b[k], normal),
                     velocity,
                     along > nothing ? along : 0,
                     tangent > nothing ? tangent : infinity};
  }
}

/// Proof that contacts add no energy, after any number of passes. Let l be the given impulses, u
/// and u' the velocities of contacts before and after all of l, and b the targets. The fraction s
/// of l minimizes the energy s l.(u - b) + s^2 l.(u' - u) / 2. This minimum is not positive, since
/// s = 0 gives 0, and relaxation only lowers it.
double ContactSolver::warm_start(BodyVelocities& bodies, ContactPoints& contacts) {
  double most = 0, linear = 0, square = 0;
  before_.resize(contacts.count());
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    const Vec3d &normal = contacts.normal[k], old = contacts.impulse[k];
    before_[k] = relative_velocity(bodies, contacts, k);
    most = std::max(most, norm(before_[k] - normal * contacts.target[k]));
    const double along = responses_[k].along > 0 ? std::max(dot(normal, old), 0.0) : 0;
    contacts.impulse[k] = normal * along +
                          shortened(perpendicular(old, normal), contacts.friction[k] * along);
    linear += dot(contacts.impulse[k], before_[k] - normal * contacts.target[k]);
  }
  for (std::size_t k = 0; k < contacts.count(); ++k)
    push_both(bodies, contacts, k, contacts.impulse[k]);
  for (std::size_t k = 0; k < contacts.count(); ++k)
    square += dot(contacts.impulse[k], relative_velocity(bodies, contacts, k) - before_[k]);
  const double part = square > 0 ? clamp01(-linear / square) : 0;
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    Vec3d& impulse = contacts.impulse[k];
    if (part < 1) push_both(bodies, contacts, k, impulse * (part - 1));
    impulse = impulse * part;
    most = std::max(most, norm(responses_[k].velocity * impulse));
  }
  return most;
}

/// Returns the rate of change of the distance at a contact.
double ContactSolver::normal_velocity(const BodyVelocities& bodies, const Response& r) const {
  double u = 0;
  if (r.body_a >= 0)
    u += dot(r.normal, bodies.velocity[r.body_a]) + dot(r.turn_a, bodies.spin[r.body_a]);
  if (r.body_b >= 0)
    u -= dot(r.normal, bodies.velocity[r.body_b]) + dot(r.turn_b, bodies.spin[r.body_b]);
  return u;
}

double ContactSolver::relax(BodyVelocities& bodies, ContactPoints& contacts, std::size_t k) const {
  const Response& response = responses_[k];
  if (!(response.along > 0)) return 0;  // neither body can move
  const double excess = normal_velocity(bodies, response) - contacts.target[k];
  const Vec3d normal = response.normal, old = contacts.impulse[k];
  const double old_along = dot(normal, old);
  const double along = std::max(0.0, old_along - excess / response.along);
  if (along == 0 && old_along == 0) return 0;  // most contacts do not bear
  const Vec3d u = relative_velocity(bodies, contacts, k);
  const Vec3d slip = perpendicular(u + response.velocity * (normal * (along - old_along)), normal);
  // A step of 1 / (largest eigenvalue) never overshoots. At the fixed point, the projection on the
  // disk is Coulomb's law.
  const Vec3d across = shortened(perpendicular(old, normal) - slip * (1 / response.tangent),
                                 contacts.friction[k] * along);
  contacts.impulse[k] = normal * along + across;
  const Vec3d change = contacts.impulse[k] - old;
  push_both(bodies, contacts, k, change);
  return norm(response.velocity * change);
}

/// Relaxes contacts one after the other. Returns the largest change of a velocity.
double ContactSolver::pass(BodyVelocities& bodies, ContactPoints& contacts, bool backward) const {
  double change = 0;
  const std::size_t count = bearing_.size();
  for (std::size_t k = 0; k < count; ++k)
    change = std::max(change, relax(bodies, contacts, bearing_[backward ? count - 1 - k : k]));
  return change;
}

ContactSolverReport ContactSolver::solve(BodyVelocities& bodies, ContactPoints& contacts,
                                         const ContactSolverOptions& options) {
  prepare(bodies, contacts);
  const double enough = options.tolerance * warm_start(bodies, contacts);
  ContactSolverReport report;
  double last = infinity;
  for (int round = 0; report.passes < options.most && !report.converged; ++round) {
    // Alternates the direction of passes: a single direction tilts a stack to one side, and this
    // error decays slowly.
    const bool backward = round % 2;
    bearing_.resize(contacts.count());
    std::iota(bearing_.begin(), bearing_.end(), std::size_t{0});
    const double now = pass(bodies, contacts, backward);
    report.converged = now <= enough;
    report.change = now;
    ++report.passes;
    if (round % rounds_to_progress == 0 && round > 0) {
      if (now > options.progress * last && now <= 100 * enough) break;
      last = now;
    }
    // Most contacts do not bear. After one pass over all contacts, several passes visit only
    // bearing ones.
    std::erase_if(bearing_, [&](std::size_t k) {
      const Vec3d& l = contacts.impulse[k];
      return l.x == 0 && l.y == 0 && l.z == 0;
    });
    for (int k = 1; k < passes_per_round && report.passes < options.most && !report.converged;
         ++k) {
      const double change = pass(bodies, contacts, (k % 2 == 1) != backward);
      ++report.passes;
      if (change <= enough) break;
    }
  }
  return report;
}

/// Returns the largest fraction f of the returned impulses r = e l, at most 1, that adds no more
/// energy than the impulses l took. Let u0 and u be the velocities of contacts before and after l,
/// and u' those after l + r. Then l takes the energy l.(u - u0) / 2 - l.u, and f r adds f r.u + f^2
/// r.(u' - u) / 2.
double ContactSolver::allowed_return(const BodyVelocities& bodies,
                                     const ContactPoints& contacts) const {
  double taken = 0, linear = 0, square = 0;
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    const Vec3d& l = contacts.impulse[k];
    taken += dot(l, after_[k] - initial_[k]) / 2 - dot(l, after_[k]);
    linear += dot(returned_[k], after_[k]);
    square += dot(returned_[k], relative_velocity(bodies, contacts, k) - after_[k]) / 2;
  }
  taken = std::max(taken, 0.0);
  if (linear + square <= taken) return 1;
  // Here square > 0, or linear alone exceeds the energy taken: then nothing is returned.
  if (!(square > 0)) return 0;
  const double root = std::sqrt(linear * linear + 4 * square * taken);
  return clamp01(linear > 0 ? 2 * taken / (linear + root) : (root - linear) / (2 * square));
}

ContactSolverReport ContactSolver::solve_impact(BodyVelocities& bodies, ContactPoints& contacts,
                                                std::span<const double> restitution,
                                                const ContactSolverOptions& options) {
  const std::size_t count = contacts.count();
  const auto note = [&](std::vector<Vec3d>& velocities) {
    velocities.resize(count);
    for (std::size_t k = 0; k < count; ++k) velocities[k] = relative_velocity(bodies, contacts, k);
  };
  note(initial_);
  contacts.impulse.assign(count, {0, 0, 0});
  ContactSolverReport report = solve(bodies, contacts, options);
  note(after_);
  returned_.resize(count);
  for (std::size_t k = 0; k < count; ++k) returned_[k] = contacts.impulse[k] * restitution[k];
  for (std::size_t k = 0; k < count; ++k) push_both(bodies, contacts, k, returned_[k]);
  const double part = allowed_return(bodies, contacts);
  if (part < 1)
    for (std::size_t k = 0; k < count; ++k)
      push_both(bodies, contacts, k, returned_[k] * (part - 1));
  for (std::size_t k = 0; k < count; ++k) returned_[k] = contacts.impulse[k] + returned_[k] * part;
  // Separating contacts may now approach each other. Solving again without restitution only takes
  // energy.
  contacts.impulse.assign(count, {0, 0, 0});
  const ContactSolverReport again = solve(bodies, contacts, options);
  for (std::size_t k = 0; k < count; ++k) contacts.impulse[k] = contacts.impulse[k] + returned_[k];
  return {report.passes + again.passes, report.converged && again.converged,
          std::max(report.change, again.change)};
}

}  // namespace toccata
