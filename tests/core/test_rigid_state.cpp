// Free rotation conserves momentum and energy, and a symmetric top precesses at the known rate.
#include <numbers>
#include <random>

#include "check.hpp"
#include "toccata/dynamics/body/rigid_state.hpp"
#include "toccata/dynamics/body/symmetric.hpp"

using namespace toccata;

namespace {

MassProperties properties_of(double x, double y, double z) {
  return {2.0, {0.3, -0.1, 0.2}, {{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

RigidState step(const RigidState& state, const MassProperties& properties, double h) {
  const Vec3d free = free_spin(state, properties, h);
  return moved(state, properties, {state.velocity, free, h});
}

/// An asymmetric top tumbles about its middle axis, which is unstable.
void test_tumbling() {
  const MassProperties top = properties_of(0.5, 0.9, 1.2);
  RigidState state{.velocity = {1, 2, 3}, .spin = {0.01, 3, 0.01}};
  const double energy = kinetic_energy(state, top);
  const Vec3d momentum = angular_momentum(state, top);
  double least = 1;
  for (int i = 0; i < 100000; ++i) {
    state = step(state, top, 1.0 / 120);
    CHECK(std::abs(kinetic_energy(state, top) - energy) <= 1e-9 * energy);
    CHECK(norm(angular_momentum(state, top) - momentum) <= 1e-9 * norm(momentum));
    least = std::min(least, state.rotation.y.y);
  }
  CHECK(least < -0.5);  // it did turn over
  const double time = 100000 / 120.0;
  CHECK(norm(state.center - Vec3d{1, 2, 3} * time) < 1e-9 * time);
}

/// Energy never rises and stays finite, even at speeds that a step cannot resolve.
void test_any_speed(int cases) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < cases; ++i) {
    const double a = 1.1 + uniform(engine), b = 1.1 + uniform(engine), c = 1.1 + uniform(engine);
    const MassProperties top = properties_of(a + b, b + c, c + a);  // second moments a, b, c
    RigidState state{.spin = {uniform(engine), uniform(engine), uniform(engine)}};
    state.spin = state.spin * std::pow(10.0, 4 * uniform(engine));
    const double start = kinetic_energy(state, top), momentum = norm(angular_momentum(state, top));
    const double angle = norm(state.spin);
    double energy = start;
    for (int k = 0; k < 200; ++k) {
      state = step(state, top, 1);
      const double now = kinetic_energy(state, top);
      CHECK(now <= energy * (1 + 1e-11));
      if (angle < 1) {
        CHECK(now >= energy * (1 - 1e-11));
        CHECK(std::abs(norm(angular_momentum(state, top)) - momentum) <= 1e-10 * momentum);
      }
      energy = now;
    }
  }
}

/// About a principal axis a body turns by its spin times time, in steps of any length.
void test_spinner() {
  const MassProperties disk = properties_of(1, 1, 1.9);
  for (const double h : {1e-3, 1.0, 7.0}) {
    RigidState state{.spin = {0, 0, 2}};
    for (int i = 0; i < 100; ++i) state = step(state, disk, h);
    CHECK(norm(state.spin - Vec3d{0, 0, 2}) < 1e-12);
    CHECK(norm(state.rotation.x - Vec3d{std::cos(200 * h), std::sin(200 * h), 0}) < 1e-10);
  }
}

/// The axis of a symmetric top goes around its momentum L at the rate |L| / (moment across).
void test_precession() {
  const double across = 0.7, along = 1.1;
  const MassProperties top = properties_of(across, across, along);
  const auto error = [&](int steps) {
    RigidState state{.spin = {0.4, 0, 3}};
    const Vec3d momentum = angular_momentum(state, top), axis = unit(momentum);
    const double time = 2;
    for (int i = 0; i < steps; ++i) state = step(state, top, time / steps);
    const Vec3d expected = to_matrix(exp_rotation(axis * (norm(momentum) / across * time))) *
                           Vec3d{0, 0, 1};
    return norm(state.rotation.z - expected);
  };
  CHECK(error(240) < 1e-3);
  CHECK(error(2400) < 1.1e-2 * error(240));  // second order
}

void test_poses() {
  const MassProperties top = properties_of(1, 1, 1);
  const Pose pose{to_matrix(exp_rotation({0.3, -1, 2})), {4, 5, 6}};
  const Pose again = body_pose(state_at(pose, top), top);
  CHECK(norm(again.translation - pose.translation) < 1e-14);
  const RigidState state = state_at(pose, top);
  CHECK(norm(state.center - pose * top.center) < 1e-14);
  const MassProperties box = properties_of(0.5, 0.9, 1.2);
  const Mat3d one = world_inertia(state, box) * inverse_world_inertia(state, box);
  CHECK(norm(one.x - identity3.x) + norm(one.y - identity3.y) + norm(one.z - identity3.z) < 1e-14);
}

/// A rod that turns fast keeps its spin about its axis, however thin it is.
void test_rod() {
  const MassProperties rod = properties_of(1, 1, 1e-6);
  RigidState state{.spin = {100, 0, 100}};
  for (int k = 0; k < 500; ++k) state = step(state, rod, 1.0 / 120);
  const double axial = dot(state.spin, state.rotation.z);
  CHECK(std::abs(axial - 100) < 1e-3);
}

/// No executed rotation adds energy.
void test_forced() {
  const MassProperties top = properties_of(0.5, 0.9, 1.2);
  RigidState state{.spin = {1, 2, 3}};
  for (int k = 0; k < 100; ++k) {
    const double before = kinetic_energy(state, top);
    state = moved(state, top, {{0, 0, 0}, {5.0 * (k % 3), -3, 1.0 * (k % 7)}, 0.1});
    CHECK(kinetic_energy(state, top) <= before * (1 + 1e-9));
  }
}

}  // namespace

int main(int argc, char** argv) {
  test_tumbling();
  test_any_speed(testing::cases(argc, argv, 200));
  test_spinner();
  test_precession();
  test_poses();
  test_rod();
  test_forced();
}
