// State of the bodies and robots of an island during a step: velocities, executed motions, and
// which of them are stopped.
#pragma once

#include <span>
#include <utility>

#include "toccata/dynamics/articulated/simulated_robot.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/world/contact_rows.hpp"
#include "toccata/dynamics/world/island_energy.hpp"
#include "toccata/dynamics/world/islands.hpp"

namespace toccata {

/// The bodies of an island. A body has an index in the simulation and a slot in the island; robots
/// have slots of their own. Reuses its buffers across calls.
class IslandBodies {
 public:
  void start(const Island& island, std::span<SimulatedBody> all, std::span<SimulatedRobot> robots,
             const Vec3d& gravity);

  std::size_t count() const { return island_->bodies.size(); }
  /// Returns the number of all bodies, with links that have no slot.
  std::size_t count_all() const { return count() + island_->unlisted; }
  const Island& island() const { return *island_; }
  const Vec3d& gravity() const { return gravity_; }
  Index index(std::size_t slot) const { return island_->bodies[slot]; }
  /// Returns the slot of a body; -1 for a fixed body, which is in no island.
  Index slot(Index body) const { return slot_[body]; }
  SimulatedBody& at(std::size_t slot) const { return all_[index(slot)]; }
  SimulatedBody& body(Index i) const { return all_[i]; }

  /// Returns whether contacts move the body in a slot.
  bool moves(std::size_t slot) const {
    return at(slot).is_free() && !at(slot).is_asleep() && !held_[slot];
  }
  /// Stops a body for the rest of the step, a link with all of its robot. Returns the number of
  /// newly stopped bodies.
  Count hold(Index body);
  /// Exempts stopped bodies from pushes to the shell as well. Returns whether they were exempt
  /// before.
  bool freeze() { return std::exchange(frozen_, true); }

  /// Computes the velocities after forces have acted for `kick` seconds, for a motion that takes
  /// `duration`.
  void load(double kick, double duration);
  void store() const;
  /// Computes the velocities to execute without pushes: those of free rotation.
  void prepare_execution(double duration);
  /// Moves bodies by their executed velocities; then forces act for another `kick` seconds. Adds
  /// the potential energy that pushes have added to `lift`. Returns the energy that is allowed
  /// afterwards.
  double execute(double duration, double kick, double& lift);

  BodyVelocities velocities;  ///< momentum / mass
  BodyVelocities executed;    ///< velocities of the motion, with pushes to the shell
  IslandEnergy accounts;      ///< energy that motions may use

  BodyVelocity velocity(const BodyVelocities& all, Index body) const;
  Vec3d acceleration(Index body) const;
  /// Bounds the rate of change of the distance of two bodies.
  double relative_speed(const SimulatedPair& pair, const BodyVelocities& all) const;
  /// Returns the rate of change of a distance along a normal, at a point of both bodies.
  double rate(const SimulatedPair& pair, const Vec3d& point, const Vec3d& normal,
              const BodyVelocities& all) const;

  /// Computes the displacements that velocities cause in `duration`.
  void displace(const BodyVelocities& all, double duration);
  Displaced displaced(Index body) const;

  /// Returns the kinetic plus potential energy of all bodies with mass.
  double energy() const;
  bool has_robots() const { return !robots_.empty(); }
  std::span<SimulatedRobot* const> robots() const { return robots_; }
  /// Returns the slots of a robot's links.
  std::span<const Index> links(std::size_t robot) const { return links_[robot]; }
  /// Stops joints that would leave their limits within `duration`. Returns whether that changed
  /// velocities.
  bool stop_at_limits(double duration);
  /// Sets the states of a robot's links from its configuration and rates.
  void place_links(std::size_t robot);
  /// Sets the velocities of a robot's links from its rates.
  void move_links(std::size_t robot, BodyVelocities& all);
  /// Sets the rates to execute of a robot, as far as its active joints allow.
  void propose(std::size_t robot, const std::vector<double>& rates);
  /// Returns one of the links of a robot.
  Index leader(std::size_t robot) const { return leader_[robot]; }
  bool robot_moves(std::size_t robot) const { return moves(slot(leader_[robot])); }
  /// Computes the accelerations of links by forces that act for `duration`.
  void find_link_accelerations(double duration);
  /// Returns the slot of a link's robot.
  std::size_t robot_of(Index body) const { return robot_slot_[all_[body].robot]; }

 private:
  void load_robots(double push);
  void kick(std::size_t robot, double duration, std::vector<double>& rates, Kick half);
  void displace_links(std::size_t robot, const BodyVelocities& all, double duration);
  double execute_robots(double duration, double push, double& lift);
  void move_robots(double duration, double& lift);

  const Island* island_ = nullptr;
  std::span<SimulatedBody> all_;
  Vec3d gravity_{0, 0, 0};
  std::vector<Index> slot_;
  std::vector<bool> held_;
  bool frozen_ = false;
  std::vector<Displaced> displaced_;

  std::vector<SimulatedRobot*> robots_;
  std::vector<std::size_t> robot_slot_;  // by robot of the simulation
  std::vector<Index> leader_;            // by robot of the island: one of its links
  std::vector<std::vector<Index>> links_;
  std::vector<std::size_t> moving_;  // slots of robots
  std::vector<MovingFrame> frames_;
  std::vector<Vec3d> link_acceleration_;  // by slot
  std::vector<FramePull> pulls_;
  std::vector<double> end_;
};

}  // namespace toccata
