// Free, fixed and kinematic bodies, and the velocity at which a kinematic body follows its motion.
#include "toccata/dynamics/body/simulated_body.hpp"

#include <algorithm>

namespace toccata {
namespace {

/// Estimates the rotation vector of a motion from samples of its spin.
Vec3d estimated_turn(const Motion& motion, const Interval& window) {
  constexpr int samples = 16;
  const double step = (window.hi - window.lo) / samples;
  Vec3d sum{0, 0, 0};
  for (int k = 0; k < samples; ++k) {
    const double t = window.lo + (k + 0.5) * step;
    sum = sum + motion.state(t, t).spin * step;
  }
  return sum;
}

}  // namespace

SimulatedBody free_body(const Mesh& mesh, const Pose& pose, const MassProperties& mass,
                        const Material& material) {
  SimulatedBody body{};
  body.mesh = &mesh;
  body.kind = BodyKind::free;
  body.mass = mass;
  body.material = material;
  body.state = state_at(pose, mass);
  return body;
}

SimulatedBody given_body(const Mesh& mesh, const Pose& pose, std::optional<TimedMotion> motion,
                         const Material& material) {
  SimulatedBody body = free_body(mesh, pose, {1, {0, 0, 0}, identity3}, material);
  body.kind = motion ? BodyKind::kinematic : BodyKind::fixed;
  body.given = std::move(motion);
  return body;
}

/// Poses at both ends do not determine the number of full turns between them.
BodyVelocity kinematic_velocity(const SimulatedBody& body, double duration) {
  const auto time = [&](double clock) { return std::min(clock / body.given->duration, 1.0); };
  const Interval window{time(body.clock), time(body.clock + duration)};
  const Pose end = body.given->motion.pose(window.hi);
  const Vec3d turn = nearest_turn(rotation_between(body.state.rotation, end.rotation),
                                  estimated_turn(body.given->motion, window));
  return {(end * body.mass.center - body.state.center) * (1 / duration), turn * (1 / duration)};
}

}  // namespace toccata
