// An articulated body of a simulation. Its links with geometry are bodies of the simulation too.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "toccata/dynamics/articulated_body.hpp"
#include "toccata/dynamics/link_tree.hpp"

namespace toccata {

/// A link that becomes a body of a simulation: a mesh at a place in the frame of a joint, or of the
/// ground (-1).
struct RobotLink {
  std::string name;
  const Mesh* mesh;
  Index joint;
  Pose place;
};

struct SimulatedRobot {
  std::string name;
  ArticulatedBody* body;  ///< outlives the simulation
  ActiveChoice choice;
  LinkTree tree;
  std::vector<bool> tested;  ///< of links a and b, at a * links + b: whether contacts are avoided
  std::set<std::pair<Index, std::string>> ignored;  ///< links and bodies that may touch
  std::vector<Index> bodies;                        ///< by link
  std::vector<double> q, v;                         ///< where it is and how fast
  std::vector<double> tau;                          ///< that acted on it last
  double lost = 0;  ///< energy that errors of time steps have taken, and may bring back

  bool tests(Index a, Index b) const { return tested[a * tree.links().size() + b]; }
  /// The articulated body where it is, with these rates.
  ArticulatedBody& with(const std::vector<double>& rates) const {
    if (!std::equal(q.begin(), q.end(), body->q().begin())) body->move_to(q);
    body->set_velocity(rates);
    return *body;
  }
};

/// Puts the links where the robot is, with its velocities.
void place_links(const SimulatedRobot& robot, std::span<SimulatedBody> bodies,
                 std::vector<MovingFrame>& frames);

}  // namespace toccata
