// Rows of a few bodies without friction for Gauss' projection.
#include "toccata/dynamics/solver/small_projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "toccata/dynamics/body/symmetric.hpp"

namespace toccata {
namespace {

void put(double* to, const Vec3d& v, const Vec3d& w) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = w.x, to[4] = w.y, to[5] = w.z;
}

bool are_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Returns whether an inverse inertia is invertible; for slivers it may be singular up to rounding.
bool has_inertia(const Mat3d& inverse_inertia) {
  if (trace(inverse_inertia) == 0) return true;  // its velocity is given
  const Mat3d inertia = symmetric(inverse(inverse_inertia));
  return is_finite(inertia.x) && is_finite(inertia.y) && is_finite(inertia.z) &&
         cholesky(inertia).has_value();
}

}  // namespace

/// Sets the metric and the target. Bodies with a given velocity have a unit metric, and no row
/// refers to them.
void SmallProjection::set_bodies(const BodyVelocities& bodies) {
  const std::size_t count = bodies.velocity.size(), n = 6 * count;
  metric_.assign(n * n, 0);
  target_.assign(n, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const bool moves = bodies.inverse_mass[k] > 0;
    const Mat3d inertia = moves ? symmetric(inverse(bodies.inverse_inertia[k])) : identity3;
    const std::array<Vec3d, 3> columns{inertia.x, inertia.y, inertia.z};
    for (std::size_t i = 0; i < 3; ++i) {
      metric_[(6 * k + i) * (n + 1)] = moves ? 1 / bodies.inverse_mass[k] : 1;
      double* row = &metric_[(6 * k + 3 + i) * n + 6 * k + 3];
      row[0] = columns[i].x, row[1] = columns[i].y, row[2] = columns[i].z;
    }
    if (moves) put(&target_[6 * k], bodies.velocity[k], bodies.spin[k]);
  }
}

void SmallProjection::set_rows(const BodyVelocities& bodies, const ContactPoints& contacts) {
  const std::size_t n = target_.size();
  rows_.assign(n * contacts.count(), 0);
  bounds_ = contacts.target;
  for (std::size_t k = 0; k < contacts.count(); ++k) {
    const auto add = [&](Index body, const Vec3d& arm, const Vec3d& normal) {
      if (body < 0) return;
      const Vec3d turn = cross(arm, normal);
      if (bodies.inverse_mass[body] > 0) {
        put(&rows_[k * n + 6 * static_cast<std::size_t>(body)], normal, turn);
      } else {
        bounds_[k] -= dot(normal, bodies.velocity[body]) + dot(turn, bodies.spin[body]);
      }
    };
    add(contacts.body_a[k], contacts.arm_a[k], contacts.normal[k]);
    add(contacts.body_b[k], contacts.arm_b[k], -contacts.normal[k]);
  }
}

bool SmallProjection::solve(const BodyVelocities& bodies, const ContactPoints& contacts) {
  set_bodies(bodies);
  set_rows(bodies, contacts);
  const bool have_inertia =
      std::all_of(bodies.inverse_inertia.begin(), bodies.inverse_inertia.end(), has_inertia);
  if (!have_inertia || !are_finite(target_) || !are_finite(bounds_)) return false;
  return projector_.solve({metric_, target_, rows_, bounds_}) == ProjectionStatus::solved;
}

void SmallProjection::set_velocities(BodyVelocities& bodies) const {
  const std::span<const double> x = projector_.x();
  for (std::size_t k = 0; k < bodies.velocity.size(); ++k) {
    if (!(bodies.inverse_mass[k] > 0)) continue;
    bodies.velocity[k] = {x[6 * k], x[6 * k + 1], x[6 * k + 2]};
    bodies.spin[k] = {x[6 * k + 3], x[6 * k + 4], x[6 * k + 5]};
  }
}

void SmallProjection::set_pressures(ContactPoints& contacts) const {
  for (std::size_t k = 0; k < contacts.count(); ++k)
    contacts.impulse[k] = perpendicular(contacts.impulse[k], contacts.normal[k]);
  const std::span<const double> pressures = projector_.multipliers();
  for (std::size_t i = 0; i < pressures.size(); ++i) {
    const auto k = static_cast<std::size_t>(projector_.active()[i]);
    contacts.impulse[k] = contacts.impulse[k] + contacts.normal[k] * pressures[i];
  }
}

}  // namespace toccata
