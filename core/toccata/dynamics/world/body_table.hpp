// The bodies and robots of a simulation: bookkeeping by name.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "toccata/dynamics/articulated/simulated_robot.hpp"

namespace toccata {

/// An articulated body with everything that a simulation needs.
struct RobotParts {
  std::string name;
  ArticulatedBody* body;
  std::vector<RobotLink> links;
  std::vector<bool> tested;                         ///< for links a and b at a * links + b
  std::set<std::pair<Index, std::string>> ignored;  ///< pairs of links and bodies that may touch
  ActiveChoice choice;
};

/// Bodies in the order in which they were added, and robots in the order of their names. A step
/// visits bodies in the order of their names, too, so its results do not depend on when a body was
/// added. Only `add`, `add_robot`, `remove` and `remove_robot` change the number of bodies. Meshes
/// must outlive the table.
class BodyTable {
 public:
  std::vector<SimulatedBody> bodies;
  std::vector<SimulatedRobot> robots;

  std::size_t size() const { return bodies.size(); }
  const std::vector<std::string>& names() const { return names_; }
  /// Returns the indices of bodies in the order of their names.
  std::span<const Index> by_name() const { return by_name_; }
  /// Returns the ranks of bodies that are no links, in order.
  std::span<const Index> unlinked() const { return unlinked_; }
  /// Returns the position of a body in the order of names.
  Index rank(Index body) const { return rank_[body]; }
  Index index(const std::string& name) const;
  const SimulatedRobot& robot(const std::string& name) const;

  /// Adds a body at the end. Throws `invalid_argument` for curved surfaces and invalid mass
  /// properties.
  void add(const std::string& name, SimulatedBody body);
  /// Adds the links of an articulated body as bodies at the end; links with joint -1 are fixed. At
  /// least one link must move.
  void add_robot(const RobotParts& parts, const Material& material);
  /// Removes a body. All others wake up, and the indices of later ones decrease by 1.
  void remove(Index body);
  /// Removes a robot whose links were removed before.
  void remove_robot(const std::string& name);

  /// Takes over changes that users made to articulated bodies. Returns whether one was moved.
  bool read_robots();
  /// Sets the states of a robot's links from its configuration and rates.
  void place_links(SimulatedRobot& robot) {
    toccata::place_links(robot, bodies, frames_);
    robot.is_placed = true;
  }
  /// Sets the states of all links that are not up to date.
  void place_links() {
    for (SimulatedRobot& robot : robots)
      if (!robot.is_placed) place_links(robot);
  }
  /// Finds the robots that springs connect.
  void connect_robots();

  /// Returns whether contacts between two bodies count.
  bool tests(Index i, Index j) const;
  bool is_asleep(const SimulatedRobot& robot) const;
  /// Sets the sleeping bodies to which the links of a robot belong; -1: awake.
  void put_to_sleep(const SimulatedRobot& robot, Index group);
  /// Wakes a body, with all bodies that fell asleep with it.
  void wake(Index body);
  void wake_all();
  /// Wakes robots that springs connect with a robot that is awake.
  void wake_by_springs();
  /// Returns the kinetic plus potential energy of all bodies with mass.
  double energy(const Vec3d& gravity) const;

 private:
  void insert(const std::string& name, SimulatedBody body);
  void renumber();

  std::vector<std::string> names_;
  std::vector<Index> by_name_, rank_, unlinked_;
  std::map<const Mesh*, std::shared_ptr<const FeatureRanks>> ranks_;
  std::vector<MovingFrame> frames_;
};

}  // namespace toccata
