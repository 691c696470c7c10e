// State of a rigid body: pose and velocity, energy and momentum, and free rotation without torque.
#pragma once

#include "toccata/dynamics/body/mass.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// Orientation, and position and velocity of the center of mass; world axes.
struct RigidState {
  Mat3d rotation = identity3;
  Vec3d center{0, 0, 0};
  Vec3d velocity{0, 0, 0};
  Vec3d spin{0, 0, 0};
};

constexpr double full_turn = 6.283185307179586;  ///< radians

/// Returns the rotation vector of the same rotation as `turn` that is nearest to `near`.
Vec3d nearest_turn(const Vec3d& turn, const Vec3d& near);

/// Returns the state at rest of a body at a pose.
RigidState state_at(const Pose& pose, const MassProperties& properties);
/// Returns the pose of the body frame.
Pose body_pose(const RigidState& state, const MassProperties& properties);

Mat3d world_inertia(const RigidState& state, const MassProperties& properties);
Mat3d inverse_world_inertia(const RigidState& state, const MassProperties& properties);
/// Returns the energy of translation and rotation.
double kinetic_energy(const RigidState& state, const MassProperties& properties);
Vec3d angular_momentum(const RigidState& state, const MassProperties& properties);

/// Returns the constant spin that replaces the free rotation of a body during `duration`: a
/// rotation at this spin conserves angular momentum and energy for any duration. Returns the
/// current spin if the body turns by more than some hundred radians, or if there is no such spin.
Vec3d free_spin(const RigidState& state, const MassProperties& properties, double duration);

/// A motion at constant velocity and spin.
struct ExecutedTwist {
  Vec3d velocity, spin;
  double duration;
};

/// Returns the state after a motion, with the velocity and the angular momentum from before.
/// Rotation never adds energy: if the executed spin is not the free one, the momentum is reduced.
RigidState moved(const RigidState& state, const MassProperties& properties,
                 const ExecutedTwist& executed);

}  // namespace toccata
