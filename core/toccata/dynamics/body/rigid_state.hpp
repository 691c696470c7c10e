// Where a rigid body is and how it moves, and how it turns when nothing acts on it.
#pragma once

#include "toccata/dynamics/body/mass.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// About the center of mass, world axes.
struct RigidState {
  Mat3d rotation = identity3;
  Vec3d center{0, 0, 0};
  Vec3d velocity{0, 0, 0};
  Vec3d spin{0, 0, 0};
};

constexpr double full_turn = 6.283185307179586;  ///< radians

/// Returns the nearest to a vector of all rotation vectors that are the same rotation as `turn`.
Vec3d nearest_turn(const Vec3d& turn, const Vec3d& near);

/// A state at rest, of a body at a pose.
RigidState state_at(const Pose& pose, const MassProperties& properties);
/// The pose of the body's own coordinates.
Pose body_pose(const RigidState& state, const MassProperties& properties);

Mat3d world_inertia(const RigidState& state, const MassProperties& properties);
Mat3d inverse_world_inertia(const RigidState& state, const MassProperties& properties);
/// Of moving and of turning.
double kinetic_energy(const RigidState& state, const MassProperties& properties);
Vec3d angular_momentum(const RigidState& state, const MassProperties& properties);

/// The constant spin that stands for the free motion of a body during `duration`: turned by it, the
/// body has the angular momentum and the energy that it had, whatever the duration. Where a body
/// turns by more than some hundred radians, or none is found, the spin that it has.
Vec3d free_spin(const RigidState& state, const MassProperties& properties, double duration);

/// What a body does that is moved by a constant velocity and spin.
struct ExecutedTwist {
  Vec3d velocity, spin;
  double duration;
};

/// The state after it, with the velocity and the angular momentum that it had. A turn alone adds no
/// energy: where the executed spin is not the free one, momentum gives way.
RigidState moved(const RigidState& state, const MassProperties& properties,
                 const ExecutedTwist& executed);

}  // namespace toccata
