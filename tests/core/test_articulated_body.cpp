// Articulated bodies: impulses, moves and rigid groups are consistent on random trees.
#include "toccata/dynamics/articulated/articulated_body.hpp"

#include <array>

#include "check.hpp"
#include "random_bodies.hpp"

using namespace toccata;
using namespace toccata::testing;

namespace {

struct Case {
  std::vector<Joint> joints;
  std::vector<MassProperties> masses;
  Index coordinates = 0;

  Case(Random& random, int count, bool floating) {
    for (int i = 0; i < count; ++i) add(random, floating && i == 0);
  }

  void add(Random& random, bool base) {
    Joint joint;
    const auto n = static_cast<int>(joints.size());
    joint.parent = base ? -1 : static_cast<Index>(random.below(n + 1)) - 1;
    if (n > 0 && joint.parent < 0 && joints[0].kind == JointKind::floating) joint.parent = 0;
    joint.kind = base ? JointKind::floating : static_cast<JointKind>(random.below(4));
    joint.origin = random.pose(0.5);
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = coordinates;
    const bool mimics = coordinate_count(joint.kind) == 1 && random.below(4) == 0 && n > 0 &&
                        coordinate_count(joints[n - 1].kind) == 1 && joints[n - 1].factor == 1;
    if (mimics) {
      joint.coordinate = joints[n - 1].coordinate;
      joint.factor = random.uniform(0.5, 2), joint.offset = 0.3;
    } else {
      coordinates += coordinate_count(joint.kind);
    }
    joints.push_back(joint);
    const Vec3d c = random.point(0.2);
    // Points of mass on three axes: no principal moment exceeds the others' sum.
    const double a = random.uniform(0.01, 0.1), b = random.uniform(0.01, 0.1), d = 0.03;
    masses.push_back({random.uniform(0.5, 2), c, {{b + d, 0, 0}, {0, a + d, 0}, {0, 0, a + b}}});
  }

  ArticulatedBody body(Random& random) const {
    ArticulatedBody body(joints, masses, {});
    std::vector<double> q(body.coordinates()), v(body.freedoms());
    for (double& x : q) x = random.uniform(-1, 1);
    for (double& x : v) x = random.uniform(-1, 1);
    body.set(q, v);
    return body;
  }
};

std::vector<double> numbers(const Spatial& s) {
  return {s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z};
}

bool near(double a, double b, double size) { return std::abs(a - b) <= 1e-9 * (1 + size); }

/// An impulse changes velocities by the mobility, which is a symmetric matrix.
void check_impulse(Random& random, ArticulatedBody& body) {
  const auto n = static_cast<int>(body.joints().size());
  const std::array<Index, 3> frames{random.below(n), random.below(n), random.below(n)};
  std::vector<double> m(18 * 18);
  body.mobility(frames, m.data());
  double size = 0;
  for (const double x : m) size = std::max(size, std::abs(x));
  for (int i = 0; i < 18; ++i)
    for (int j = 0; j < i; ++j) CHECK(near(m[i * 18 + j], m[j * 18 + i], size));
  std::vector<double> before, impulse;
  std::vector<FramePull> pulls;
  for (const Index frame : frames) {
    for (const double x : numbers(body.velocity(frame))) before.push_back(x);
    pulls.push_back({frame, body.frame(frame).translation, random.point(1), random.point(1)});
    for (const double x : numbers({pulls.back().force, pulls.back().torque})) impulse.push_back(x);
  }
  body.apply(pulls);
  for (int i = 0; i < 18; ++i) {
    double wanted = before[i];
    for (int j = 0; j < 18; ++j) wanted += m[i * 18 + j] * impulse[j];
    CHECK(near(numbers(body.velocity(frames[i / 6]))[i % 6], wanted, size + std::abs(wanted)));
  }
}

/// Frames move at their velocities. Central differences cancel the curvature of the motion, because
/// impulses may have made frames fast.
void check_move(ArticulatedBody& body) {
  constexpr double time = 1e-6;
  for (Index j = 0; j < static_cast<Index>(body.joints().size()); ++j) {
    const Spatial v = body.velocity(j);
    const std::vector<double> q(body.q().begin(), body.q().end());
    body.move(-time / 2);
    const Pose start = body.frame(j);
    body.move_to(q);
    body.move(time / 2);
    const Pose end = body.frame(j);
    const Vec3d travel = end.translation - start.translation - v.linear * time;
    const Vec3d turn = rotation_between(start.rotation, end.rotation) - v.angular * time;
    CHECK(norm(travel) < 1e-9 && norm(turn) < 1e-9);
    body.move_to(q);
  }
}

/// Locking joints keeps the momentum that the other joints allow, and adds no energy.
void check_locking(Random& random, ArticulatedBody& body, bool floating) {
  std::vector<std::uint8_t> active(body.joints().size());
  for (std::uint8_t& a : active) a = random.below(2);
  const double energy = body.kinetic_energy();
  const Spatial momentum = body.momentum();
  body.set_active(active);
  CHECK(body.kinetic_energy() <= energy * (1 + 1e-12));
  const Spatial change = body.momentum() - momentum;
  if (floating) CHECK(norm(change.linear) + norm(change.angular) < 1e-9 * (1 + energy));
  check_impulse(random, body);
  check_move(body);
  const Index touched = random.below(static_cast<int>(active.size()));
  body.activate({{touched}});
  for (Index j = touched; j >= 0; j = body.joints()[j].parent) CHECK(body.active()[j]);
}

/// A spring between two bodies moves both, and their common energy is constant.
void check_springs(Random& random) {
  const Case one(random, 3, true), other(random, 4, true);
  ArticulatedBody a = one.body(random), b = other.body(random);
  a.springs.push_back({2, {0.1, 0, 0}, &b, 3, {0, 0.1, 0}, 5, 0.1, 0});
  b.springs.push_back({3, {0, 0.1, 0}, &a, 2, {0.1, 0, 0}, 5, 0.1, 0});
  const double energy = a.energy() + b.energy();
  const std::array bodies{&a, &b};
  ArticulatedBody::step_all(bodies, 1e-4, 200, {});
  CHECK(std::abs(a.energy() + b.energy() - energy) < 1e-4 * (1 + std::abs(energy)));
  ArticulatedBody::step_all(bodies, 1e-4, 50, {Activity::chosen, 2, 0});
  CHECK(a.active_count() >= 1 && a.active_count() <= 4);
  CHECK(a.work().refreshes == 5 && a.work().refreshed == 15);
}

}  // namespace

int main(int argc, char** argv) {
  Random random(seed(argc, argv, 1));
  for (int i = cases(argc, argv, 60); i > 0; --i) {
    const bool floating = random.below(2);
    const Case c(random, 1 + random.below(12), floating);
    ArticulatedBody body = c.body(random);
    check_impulse(random, body);
    check_move(body);
    body.kick(1e-3), body.stop_at_limits(1e-3), body.move(1e-3);
    body.kick(1e-3, Kick::after_move);
    check_locking(random, body, floating);
    body.set_active(std::vector<std::uint8_t>(body.joints().size(), 0));  // nothing can move
    check_impulse(random, body);
    check_springs(random);
  }
}
