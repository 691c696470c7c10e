// An articulated body of a simulation. Its links with geometry are bodies of the simulation too.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "toccata/dynamics/articulated/articulated_body.hpp"
#include "toccata/dynamics/articulated/link_tree.hpp"

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
  /// Energy that errors of time steps have taken and may bring back; below 0, that they still owe.
  double lost = 0;
  Index connected = 0;  ///< the first of the robots that springs connect it with

  bool tests(Index a, Index b) const { return tested[a * tree.links().size() + b]; }
  /// Whether users have put the articulated body elsewhere since the last step.
  bool is_elsewhere() const {
    return !std::equal(q.begin(), q.end(), body->q().begin(), body->q().end());
  }
  /// Whether users have changed something of it since the last step.
  bool differs() const {
    return is_elsewhere() || !std::equal(v.begin(), v.end(), body->v().begin(), body->v().end()) ||
           tau != body->tau || !body->pulls.empty();
  }
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
