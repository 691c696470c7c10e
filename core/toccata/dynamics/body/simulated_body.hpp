// A body of a simulation: mesh, mass, material, and its state.
#pragma once

#include <optional>

#include "toccata/dynamics/body/rigid_state.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/walk/feature_ranks.hpp"

namespace toccata {

/// Bodies that forces and contacts move, that never move, and that follow a given motion.
enum class BodyKind : std::uint8_t { free, fixed, kinematic };

struct Material {
  double friction = 0.5;     ///< Coulomb's coefficient between two such bodies
  double restitution = 0.0;  ///< from 0 to 1: portion of an impulse that is returned
};

/// A motion over [0, 1] that takes `duration` seconds. The body stays at its end.
struct TimedMotion {
  Motion motion;
  double duration;
};

struct SimulatedBody {
  const Mesh* mesh;
  const FeatureRanks* ranks;
  BodyKind kind;
  MassProperties mass;
  Material material;
  std::optional<TimedMotion> given;
  RigidState state;

  double radius = 0;  ///< about the center of mass
  double grain = 0;   ///< square root of the mean area of its triangles
  Vec3d half{0, 0, 0},
      middle{0, 0, 0};  ///< bounding box: half extents and center, body coordinates
  Vec3d force{0, 0, 0}, torque{0, 0, 0};  ///< during the next step
  double clock = 0;                       ///< seconds of the given motion that have passed
  double quiet = 0;                       ///< seconds for which the body has been slow
  Index group = -1;                       ///< bodies that fell asleep together; -1: awake
  Index robot = -1, link = -1;            ///< robot and link that the body is; -1: none
  /// True if this pose was checked against all other certified bodies, or if certified motions have
  /// led to it.
  bool is_certified = false;

  /// Returns whether the body is a link that a joint carries. Its mass is part of its robot, and
  /// its center of mass stands for any point of it.
  bool is_link() const { return robot >= 0 && kind == BodyKind::free; }

  bool is_free() const { return kind == BodyKind::free; }
  bool is_asleep() const { return group >= 0; }
  Pose pose() const { return body_pose(state, mass); }
};

/// Returns a body with mass, at rest at a pose.
SimulatedBody free_body(const Mesh& mesh, const Pose& pose, const MassProperties& mass,
                        const Material& material);
/// Returns a body without mass, whose center is its origin: it follows `motion`, or is fixed.
SimulatedBody given_body(const Mesh& mesh, const Pose& pose, std::optional<TimedMotion> motion,
                         const Material& material);

/// Velocity of the center of mass, and spin; world axes.
struct BodyVelocity {
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};
};

/// Returns the constant velocity that takes a kinematic body to its pose after `duration`.
BodyVelocity kinematic_velocity(const SimulatedBody& body, double duration);

/// Bounds the speed of all points of a body.
inline double speed(const SimulatedBody& body, const BodyVelocity& v) {
  return norm(v.linear) + body.radius * norm(v.angular);
}

/// Returns the motion of a body that keeps its velocity for `duration`.
inline Motion executed_motion(const SimulatedBody& body, const BodyVelocity& v, double duration) {
  return Twist{body.pose(), body.mass.center, v.linear * duration, v.angular * duration};
}

/// A ball about the origin of a moving frame. It contains a body throughout a motion, for any
/// number of turns.
struct EnclosingBall {
  Motion center;
  double radius;
};

}  // namespace toccata
