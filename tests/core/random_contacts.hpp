// Random bodies in contact with each other.
#pragma once

#include <random>

#include "toccata/dynamics/body/symmetric.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"

namespace toccata::testing {

struct Case {
  BodyVelocities bodies;
  ContactPoints contacts;

  void add_body(double mass, const Mat3d& inertia, const Vec3d& velocity, const Vec3d& spin) {
    bodies.inverse_mass.push_back(1 / mass);
    bodies.inverse_inertia.push_back(inverse(inertia));
    bodies.velocity.push_back(velocity);
    bodies.spin.push_back(spin);
  }
  void add_contact(Index a, Index b, const Vec3d& arm_a, const Vec3d& arm_b, const Vec3d& normal) {
    contacts.body_a.push_back(a);
    contacts.body_b.push_back(b);
    contacts.arm_a.push_back(arm_a);
    contacts.arm_b.push_back(arm_b);
    contacts.normal.push_back(normal);
    contacts.friction.push_back(0);
    contacts.target.push_back(0);
    contacts.impulse.push_back({0, 0, 0});
  }
};

inline Vec3d velocity_at(const Case& c, std::size_t k) {
  const auto of = [&](Index body, const Vec3d& arm) {
    return body < 0 ? Vec3d{0, 0, 0} : c.bodies.velocity[body] + cross(c.bodies.spin[body], arm);
  };
  return of(c.contacts.body_a[k], c.contacts.arm_a[k]) -
         of(c.contacts.body_b[k], c.contacts.arm_b[k]);
}

inline double energy(const BodyVelocities& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.velocity.size(); ++i)
    sum += norm2(bodies.velocity[i]) / bodies.inverse_mass[i] / 2 +
           dot(bodies.spin[i], inverse(bodies.inverse_inertia[i]) * bodies.spin[i]) / 2;
  return sum;
}

class Draw {
 public:
  explicit Draw(int seed) : engine_(static_cast<unsigned>(seed)) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine_);
  }
  Vec3d vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }

 private:
  std::mt19937 engine_;
};

/// Makes a chain of bodies with random contacts, each on the previous one, the first on the ground.
inline Case random_case(Draw& draw, double friction) {
  Case c;
  const int count = 1 + draw.below(5);
  for (int i = 0; i < count; ++i) {
    const Mat3d rotation = {draw.vector(), draw.vector(), draw.vector()};
    const Mat3d spread = rotation * transposed(rotation) + identity3 * 0.1;  // spread of the mass
    const double mass = std::pow(10.0, draw.uniform(-1, 1));
    c.add_body(mass, (identity3 * trace(spread) + spread * -1.0) * mass,
               draw.vector() + Vec3d{0, 0, -1}, draw.vector());
    const Vec3d up = unit(draw.vector() * 0.3 + Vec3d{0, 0, 1});
    for (int k = 0; k < 1 + draw.below(4); ++k) {
      c.add_contact(i, i - 1, draw.vector() + Vec3d{0, 0, -1}, draw.vector() + Vec3d{0, 0, 1}, up);
      c.contacts.friction.back() = friction * draw.below(2);
      c.contacts.target.back() = -0.2 * draw.below(3);
    }
  }
  return c;
}

}  // namespace toccata::testing
