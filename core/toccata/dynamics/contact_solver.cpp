#include "toccata/dynamics/contact_solver.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/dynamics/symmetric.hpp"

namespace toccata {
namespace {

Vec3d point_velocity(const BodyVelocities& bodies, Index body, const Vec3d& arm) {
  if (body < 0) return {0, 0, 0};
  return bodies.velocity[body] + cross(bodies.spin[body], arm);
}

Vec3d relative_velocity(const BodyVelocities& bodies, const ContactPoints& contacts,
                        std::size_t k) {
  return point_velocity(bodies, contacts.body_a[k], contacts.arm_a[k]) -
         point_velocity(bodies, contacts.body_b[k], contacts.arm_b[k]);
}

void push(BodyVelocities& bodies, Index body, const Vec3d& arm, const Vec3d& impulse) {
  if (body < 0) return;
  bodies.velocity[body] = bodies.velocity[body] + impulse * bodies.inverse_mass[body];
  bodies.spin[body] = bodies.spin[body] + bodies.inverse_inertia[body] * cross(arm, impulse);
}

void push_both(BodyVelocities& bodies, const ContactPoints& contacts, std::size_t k,
               const Vec3d& impulse) {
  push(bodies, contacts.body_a[k], contacts.arm_a[k], impulse);
  push(bodies, contacts.body_b[k], contacts.arm_b[k], -impulse);
}

/// The velocity of a point of a body by a unit of impulse there.
Mat3d response(const BodyVelocities& bodies, Index body, const Vec3d& arm) {
  if (body < 0) return {};
  const Mat3d across = skew(arm);
  return identity3 * bodies.inverse_mass[body] +
         across * (bodies.inverse_inertia[body] * transposed(across));
}

/// The larger eigenvalue of a symmetric matrix in the plane across a normal.
double largest_across(const Mat3d& m, const Vec3d& normal) {
  const Vec3d s = unit(cross(normal, far_axis(normal))), t = cross(normal, s);
  const double a = dot(s, m * s), b = dot(t, m * t), c = dot(s, m * t);
  return (a + b) / 2 + std::hypot((a - b) / 2, c);
}

/// The nearest vector that is not longer.
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
    const Mat3d velocity = response(bodies, contacts.body_a[k], contacts.arm_a[k]) +
                           response(bodies, contacts.body_b[k], contacts.arm_b[k]);
    responses_[k] = {velocity, dot(normal, velocity * normal), largest_across(velocity, normal)};
  }
}

double ContactSolver::warm_start(BodyVelocities& bodies, ContactPoints& contacts) const {
  double most = 0;
  for (std::size_t k = 0; k < contacts.count(); ++k)
    most = std::max(most, norm(relative_velocity(bodies, contacts, k) -
                               contacts.normal[k] * contacts.target[k]));
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    const Vec3d& normal = contacts.normal[k];
    Vec3d& impulse = contacts.impulse[k];
    const double along = responses_[k].normal > 0 ? std::max(dot(normal, impulse), 0.0) : 0;
    impulse = normal * along +
              shortened(perpendicular(impulse, normal), contacts.friction[k] * along);
    push_both(bodies, contacts, k, impulse);
    most = std::max(most, norm(responses_[k].velocity * impulse));
  }
  return most;
}

double ContactSolver::relax(BodyVelocities& bodies, ContactPoints& contacts, std::size_t k) const {
  const Response& response = responses_[k];
  if (!(response.normal > 0)) return 0;  // neither body can be moved
  const Vec3d normal = contacts.normal[k], old = contacts.impulse[k];
  const double old_along = dot(normal, old);
  const Vec3d u = relative_velocity(bodies, contacts, k);
  const double along =
      std::max(0.0, old_along - (dot(normal, u) - contacts.target[k]) / response.normal);
  const Vec3d slip = perpendicular(u + response.velocity * (normal * (along - old_along)), normal);
  // A step of 1 / (largest eigenvalue) never overshoots; at rest it is the projection on the disk
  // that says what friction does.
  const Vec3d across = shortened(perpendicular(old, normal) - slip * (1 / response.tangent),
                                 contacts.friction[k] * along);
  contacts.impulse[k] = normal * along + across;
  const Vec3d change = contacts.impulse[k] - old;
  push_both(bodies, contacts, k, change);
  return norm(response.velocity * change);
}

ContactSolverReport ContactSolver::solve(BodyVelocities& bodies, ContactPoints& contacts,
                                         const ContactSolverOptions& options) {
  prepare(bodies, contacts);
  const double enough = options.tolerance * warm_start(bodies, contacts);
  ContactSolverReport report;
  while (report.passes < options.most && !report.converged) {
    // Forward and backward in turns: one way alone tips a stack over to one side, and such a sway
    // dies out slowly.
    const bool backward = report.passes % 2;
    double change = 0;
    for (std::size_t k = 0; k < contacts.count(); ++k)
      change = std::max(change, relax(bodies, contacts, backward ? contacts.count() - 1 - k : k));
    ++report.passes;
    report.converged = change <= enough;
  }
  return report;
}

/// With u0, u the velocities of contacts before and after impulses l, r = e l those that come back
/// and u' the velocities after them: l takes (l.(u - u0)) / 2 - l.u of energy, f r brings
/// f r.u + f^2 (r.(u' - u)) / 2. Returns the largest f up to 1 that brings no more than was taken.
double ContactSolver::allowed_return(const BodyVelocities& bodies,
                                     const ContactPoints& contacts) const {
  double taken = 0, linear = 0, square = 0;
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    const Vec3d& l = contacts.impulse[k];
    taken += dot(l, after_[k] - before_[k]) / 2 - dot(l, after_[k]);
    linear += dot(returned_[k], after_[k]);
    square += dot(returned_[k], relative_velocity(bodies, contacts, k) - after_[k]) / 2;
  }
  taken = std::max(taken, 0.0);
  if (linear + square <= taken) return 1;
  // square > 0 here, or linear alone would be above what was taken: then nothing comes back.
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
  note(before_);
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
  // What had moved apart may have been pushed together: once more, which only takes energy.
  contacts.impulse.assign(count, {0, 0, 0});
  const ContactSolverReport again = solve(bodies, contacts, options);
  for (std::size_t k = 0; k < count; ++k) contacts.impulse[k] = contacts.impulse[k] + returned_[k];
  return {report.passes + again.passes, report.converged && again.converged};
}

}  // namespace toccata
