// Motions that the bodies of an island are about to execute, and bounds on how far these take them.
#pragma once

#include <optional>
#include <utility>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

/// The motions of an island's bodies at their executed velocities, over [0, 1]. Reuses its buffers
/// across calls.
class IslandMotions {
 public:
  /// Prepares the motions of the next `duration` seconds. Motions of links are valid until the next
  /// call.
  void start(const IslandBodies& bodies, double duration);

  /// Returns the motions of a pair: in the world, or for two links of a robot, in the last frame
  /// that carries both.
  std::pair<Motion, Motion> of(const SimulatedPair& pair) const;
  /// Bounds the change of the distance of two bodies.
  double relative_travel(const SimulatedPair& pair) const;
  /// Bounds the displacement of all points of a body that is no link during a portion of its
  /// motion.
  double travel(Index body, double part) const;
  /// Adds such bounds to the travel of a robot's rigid groups.
  void add_travel(std::size_t robot, double part) const;
  /// Enclosing balls of the bodies of a pair; nothing for a body without a full turn.
  using Balls = std::pair<std::optional<EnclosingBall>, std::optional<EnclosingBall>>;
  Balls balls(const SimulatedPair& pair) const;
  /// Bounds the errors of the poses of both bodies that motions do not include.
  double rounding(const SimulatedPair& pair) const;

 private:
  Motion motion(Index body) const;
  /// Returns the number of joints that carry both bodies of a pair: 0 unless they are links of one
  /// robot.
  std::size_t common_joints(const SimulatedPair& pair) const;
  const SimulatedBody& body(Index i) const { return bodies_->body(i); }
  BodyVelocity velocity(Index i) const { return bodies_->velocity(bodies_->executed, i); }
  const LinkMotions& links_of(Index link) const { return links_[bodies_->robot_of(link)]; }

  const IslandBodies* bodies_ = nullptr;
  double duration_ = 0;
  std::vector<LinkMotions> links_;  // by robot
};

}  // namespace toccata
