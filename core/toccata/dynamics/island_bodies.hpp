// The bodies of an island during a step: how they move, and which of them are held.
#pragma once

#include <span>
#include <utility>

#include "toccata/dynamics/contact_rows.hpp"
#include "toccata/dynamics/contact_solver.hpp"
#include "toccata/dynamics/islands.hpp"
#include "toccata/dynamics/simulated_robot.hpp"

namespace toccata {

/// Bodies have their index in the simulation, and a place in the island; robots, whose links are
/// bodies of it, a place among those of the island. Keeps its memory.
class IslandBodies {
 public:
  void start(const Island& island, std::span<SimulatedBody> all, std::span<SimulatedRobot> robots,
             const Vec3d& gravity);

  std::size_t count() const { return island_->bodies.size(); }
  Index index(std::size_t place) const { return island_->bodies[place]; }
  /// -1 for a body that is not in the island, since it is fixed.
  Index place(Index body) const { return place_[body]; }
  SimulatedBody& at(std::size_t place) const { return all_[index(place)]; }
  SimulatedBody& body(Index i) const { return all_[i]; }

  /// Whether contacts move a body of the island.
  bool moves(std::size_t place) const {
    return at(place).is_free() && !at(place).is_asleep() && !held_[place];
  }
  /// It stays for the rest of the step, a link with all of its robot. Returns how many did not
  /// before.
  Count hold(Index body);
  bool is_held(std::size_t place) const { return held_[place]; }
  /// Bodies that are held are not even pushed apart any more. Returns whether they were before.
  bool freeze() { return std::exchange(frozen_, true); }

  /// Velocities after forces have acted for `kick` seconds, for a motion that takes a while.
  void load(double kick, double duration);
  void store() const;
  /// What bodies execute unless something pushes them: as free bodies turn.
  void prepare_execution(double duration);
  /// Moves bodies as executed, with forces that act for another `kick` seconds. Returns the energy
  /// that they may have after it; `lift` is what pushing bodies apart has brought.
  double execute(double duration, double kick, double& lift);

  BodyVelocities velocities;  ///< that bodies have
  BodyVelocities executed;    ///< with what pushes them apart

  BodyVelocity velocity(const BodyVelocities& all, Index body) const;
  Vec3d acceleration(Index body) const;
  /// How fast the distance of two bodies can change.
  double relative_speed(const SimulatedPair& pair, const BodyVelocities& all) const;
  /// How fast a distance along a normal changes, at a point of both bodies.
  double rate(const SimulatedPair& pair, const Vec3d& point, const Vec3d& normal,
              const BodyVelocities& all) const;

  /// Where velocities take bodies.
  void displace(const BodyVelocities& all, double duration);
  Displaced displaced(Index body) const;

  double energy() const;
  /// Kinetic energy of bodies by their places, a link's of all of its robot.
  double moving_energy(const std::vector<bool>& chosen) const;
  void slow_down(const std::vector<bool>& chosen, double share);
  /// Whether something brings energy of which `energy` does not know.
  bool is_driven() const;

  bool has_robots() const { return !robots_.empty(); }
  std::span<SimulatedRobot* const> robots() const { return robots_; }
  /// Makes the joints active that impulses on links among these bodies would move, where the most
  /// important ones are.
  void activate(std::span<const Index> bodies);
  /// Finds what impulses on links do, for the links among these bodies.
  void find_mobilities(std::span<const Index> bodies);
  /// Robots as a whole get the impulses that have changed the velocities of some of their links.
  void push_robots(BodyVelocities& all, const ContactPoints& contacts);
  /// Joints do not leave their limits within a time. Returns whether that changed velocities.
  bool stop_at_limits(double duration);
  /// The links of a robot move by its rates.
  void move_links(std::size_t robot, BodyVelocities& all);
  /// Gives a robot rates, as far as its active joints can have them, and executes them.
  void propose(std::size_t robot, const std::vector<double>& rates);
  bool robot_moves(std::size_t robot) const { return moves(place(leader_[robot])); }
  /// Finds the accelerations of links, by forces that act for a time.
  void find_link_accelerations(double duration);
  /// The robot of a link, by its place in the island.
  std::size_t robot_of(Index body) const { return robot_place_[all_[body].robot]; }

  /// Finds the motions that are executed in so many seconds; those of links last until the next.
  void start_motions(double duration);
  Motion motion(Index body, double duration) const;
  /// Of both bodies of a pair; two links of a robot as the last frame sees them that carries both.
  std::pair<Motion, Motion> motions(const SimulatedPair& pair, double duration) const;
  /// No distance of two bodies changes by more during these motions.
  double relative_way(const SimulatedPair& pair, double duration) const;
  /// No point of a body gets farther during a part of its motion.
  double way(Index body, double duration, double part) const;
  /// Radians that both bodies of a pair turn at most.
  double turn(const SimulatedPair& pair, double duration) const;
  /// Of where both bodies are, as far as motions do not know of it.
  double rounding(const SimulatedPair& pair) const;

 private:
  BodyVelocity scripted(const SimulatedBody& body, double duration) const;
  bool has_chosen_link(std::size_t robot, const std::vector<bool>& chosen) const;
  void load_robots(double push);
  void find_blocks(std::size_t robot);
  void kick(const SimulatedRobot& robot, double duration, std::vector<double>& rates, Kick half);
  void displace_links(std::size_t robot, const BodyVelocities& all, double duration);
  double execute_robots(double duration, double push, double& lift);
  double move_robot(std::size_t robot, double duration, double& lift);
  double keep_energy(SimulatedRobot& robot, double expected);
  double work_on(const SimulatedRobot& robot, std::size_t place, double duration) const;

  const Island* island_ = nullptr;
  std::span<SimulatedBody> all_;
  Vec3d gravity_{0, 0, 0};
  std::vector<Index> place_;
  std::vector<bool> held_;
  bool frozen_ = false;
  std::vector<Displaced> displaced_;

  std::vector<SimulatedRobot*> robots_;
  std::vector<std::size_t> robot_place_;     // by robot of the simulation
  std::vector<Index> leader_;                // by robot of the island: one of its links
  std::vector<std::vector<double>> kicked_;  // rates before contacts
  std::vector<double> expected_;             // energies after a motion
  LinkMobilities mobilities_;
  std::vector<LinkMotions> motions_;
  std::vector<MovingFrame> frames_;
  std::vector<Vec3d> link_acceleration_;  // by place
  std::vector<FramePull> pulls_;
  std::vector<Index> touched_;
  std::vector<double> blocks_, end_;
};

}  // namespace toccata
