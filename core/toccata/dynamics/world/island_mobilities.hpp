// Contact impulses on the robots of an island: mobilities of links for the contact solver, and the
// transfer of its impulses to whole robots.
#pragma once

#include <vector>

#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

/// Mobilities of the links in an island. Reuses its buffers across calls.
class IslandMobilities {
 public:
  /// Activates the joints that impulses on the links among `touched` would move, in robots with
  /// chosen joints.
  void activate(IslandBodies& bodies, std::span<const Index> touched);
  /// Computes the mobilities of the links among `touched`, for the velocities of `bodies`.
  void find(IslandBodies& bodies, std::span<const Index> touched);
  /// Applies contact impulses to robots as a whole: the solver has updated some of their links
  /// only.
  void push_robots(IslandBodies& bodies, BodyVelocities& all, const ContactPoints& contacts);

 private:
  void find_blocks(const IslandBodies& bodies, std::size_t robot);

  LinkMobilities mobilities_;
  std::vector<MovingFrame> frames_;
  std::vector<FramePull> pulls_;
  std::vector<Index> touched_;
  std::vector<double> blocks_;
};

}  // namespace toccata
