// An articulated body in a simulation. Its links with geometry are bodies of the simulation.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "toccata/dynamics/articulated/articulated_body.hpp"
#include "toccata/dynamics/articulated/link_boxes.hpp"
#include "toccata/dynamics/articulated/link_tree.hpp"

namespace toccata {

/// A link that becomes a body of a simulation: a mesh with its pose in the frame of a joint, or in
/// the world for joint -1.
struct RobotLink {
  std::string name;
  const Mesh* mesh;
  Index joint;
  Pose offset;
};

struct SimulatedRobot {
  std::string name;
  ArticulatedBody* body;  ///< outlives the simulation
  ActiveChoice choice;
  LinkTree tree;
  std::vector<bool> tested;  ///< for links a and b at a * links + b: whether they must not touch
  std::set<std::pair<Index, std::string>> ignored;  ///< pairs of links and bodies that may touch
  std::vector<Index> bodies;                        ///< by link
  std::vector<double> q, v;                         ///< state at the end of the last step
  std::vector<double> tau;                          ///< joint forces during the last step
  /// Energy that time-stepping errors have taken and may bring back. Negative: energy that they
  /// still have to return.
  double lost = 0;
  Index connected = 0;  ///< first of the robots that springs connect with this one
  std::shared_ptr<const LinkTree> reduced = {};  ///< tree of active joints; null: `tree`
  std::vector<std::uint8_t> active = {};         ///< the active joints of `reduced`
  Index leader = -1;       ///< first of the moving links in the order of names
  Index moving_links = 0;  ///< number of links that joints carry
  bool is_placed = false;  ///< whether the states of all links are up to date
  bool is_pushed = false;  ///< whether forces act on links
  /// The motion that each group may make during a step, with the groups at its start.
  struct Reach {
    std::shared_ptr<const LinkTree> reduced;  ///< null: all joints
    std::vector<double> most, travel;         ///< by group
  };
  Reach reach = {};
  LinkBoxes boxes = {};
  std::uint64_t boxed = 0;  ///< the moving tree of `boxes`

  /// Returns the tree to whose groups `reach` refers.
  const LinkTree& reach_tree() const { return reach.reduced ? *reach.reduced : tree; }

  /// Returns the tree whose joints are the active ones at least. All others keep their coordinates.
  const LinkTree& moving() const { return reduced ? *reduced : tree; }
  /// Takes over the active joints; with `is_new`, other coordinates of inactive ones as well.
  void follow_joints(bool is_new = false);

  bool tests(Index a, Index b) const { return tested[a * tree.links().size() + b]; }
  /// Returns whether users have changed the configuration since the last step.
  bool is_elsewhere() const {
    return !std::equal(q.begin(), q.end(), body->q().begin(), body->q().end());
  }
  /// Returns whether users have changed anything since the last step.
  bool differs() const {
    return is_elsewhere() || !std::equal(v.begin(), v.end(), body->v().begin(), body->v().end()) ||
           tau != body->tau || !body->pulls.empty();
  }
  /// Computes the configuration and the poses of links after `duration` seconds at constant rates.
  void advance(const double* start, const double* rates, double duration, std::vector<double>& end,
               std::vector<Pose>& links) const;
  /// Returns the articulated body, set to the robot's configuration and to these rates.
  ArticulatedBody& with(const std::vector<double>& rates) const {
    if (!std::equal(q.begin(), q.end(), body->q().begin())) body->move_to(q);
    body->set_velocity(rates);
    return *body;
  }
};

inline void SimulatedRobot::follow_joints(bool is_new) {
  const auto now = body->active();
  if (choice.activity == Activity::all && !reduced &&
      std::all_of(now.begin(), now.end(), [](std::uint8_t is_active) { return is_active; }))
    return;
  if (!is_new && std::equal(now.begin(), now.end(), active.begin(), active.end())) return;
  active.assign(now.begin(), now.end());
  reduced = std::make_shared<const LinkTree>(tree.reduced(active, q.data()));
}

inline void SimulatedRobot::advance(const double* start, const double* rates, double duration,
                                    std::vector<double>& end, std::vector<Pose>& links) const {
  end.resize(q.size());
  tree.advance(start, rates, duration, end.data());
  std::vector<MovingFrame> frames;
  tree.frames(end.data(), rates, frames);
  links.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    links.push_back(tree.link(static_cast<Index>(i), frames).pose);
}

/// Sets the state of a link from the frames of the moving tree.
inline void place_link(const SimulatedRobot& robot, Index i, std::span<const MovingFrame> frames,
                       std::span<SimulatedBody> bodies) {
  SimulatedBody& body = bodies[robot.bodies[i]];
  const MovingFrame link = robot.moving().link(i, frames);
  body.state = {link.pose.rotation, link.pose * body.mass.center, link.velocity, link.spin};
}

/// Sets the states of a robot's links from its configuration and rates.
inline void place_links(const SimulatedRobot& robot, std::span<SimulatedBody> bodies,
                        std::vector<MovingFrame>& frames) {
  robot.moving().frames(robot.q.data(), robot.v.data(), frames);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i)
    place_link(robot, static_cast<Index>(i), frames, bodies);
}

}  // namespace toccata
