// A body of a simulation: what it is, where it is and how it moves.
#pragma once

#include <optional>

#include "toccata/dynamics/body/rigid_state.hpp"
#include "toccata/motion/motion.hpp"
#include "toccata/walk/feature_ranks.hpp"

namespace toccata {

/// Moved by forces and contacts; not at all; or along a motion that is given.
enum class BodyKind : std::uint8_t { free, fixed, scripted };

struct Material {
  double friction = 0.5;     ///< Coulomb's coefficient, with a body like itself
  double restitution = 0.0;  ///< from 0 to 1: how much of an impact comes back
};

/// A motion over [0, 1] that takes `duration` seconds. The body stays at its end.
struct Script {
  Motion motion;
  double duration;
};

struct SimulatedBody {
  const Mesh* mesh;
  const FeatureRanks* ranks;
  BodyKind kind;
  MassProperties mass;
  Material material;
  std::optional<Script> script;
  RigidState state;

  double radius = 0;                      ///< about the center of mass
  double grain = 0;                       ///< the size of its triangles
  Vec3d half{0, 0, 0}, middle{0, 0, 0};   ///< of its box, in body axes and coordinates
  Vec3d force{0, 0, 0}, torque{0, 0, 0};  ///< during the next step
  double clock = 0;                       ///< of the script, in seconds
  double quiet = 0;                       ///< for how long it has been slow
  Index group = -1;                       ///< bodies that fell asleep together; -1: awake
  Index robot = -1, link = -1;            ///< whose link it is, and which; -1: of none
  /// Whether its distance to all others that are certified was checked where it is, or certified
  /// motions have led there.
  bool is_certified = false;

  /// Of a robot, and carried by a joint: it is free, its mass is its robot's, and its center of
  /// mass stands for any point of it.
  bool is_link() const { return robot >= 0 && kind == BodyKind::free; }

  bool is_free() const { return kind == BodyKind::free; }
  bool is_asleep() const { return group >= 0; }
  Pose pose() const { return body_pose(state, mass); }
};

/// How a body moves during a time: its center of mass, and about it; world axes.
struct BodyVelocity {
  Vec3d linear{0, 0, 0}, angular{0, 0, 0};
};

/// The constant velocity that takes a body to where its script is after a time.
BodyVelocity script_velocity(const SimulatedBody& body, double duration);

/// No point of the body moves faster.
inline double speed(const SimulatedBody& body, const BodyVelocity& v) {
  return norm(v.linear) + body.radius * norm(v.angular);
}

/// The motion of a body that keeps a velocity for a time.
inline Motion executed_motion(const SimulatedBody& body, const BodyVelocity& v, double duration) {
  return Twist{body.pose(), body.mass.center, v.linear * duration, v.angular * duration};
}

/// A ball about the origin of a frame. It contains a body throughout a motion, however often the
/// body turns.
struct EnclosingBall {
  Motion center;
  double radius;
};

}  // namespace toccata
