// State of the bodies of an island during a step: velocities, motions, robots, and energy.
#pragma once

#include <span>
#include <utility>

#include "toccata/dynamics/articulated/simulated_robot.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/world/contact_rows.hpp"
#include "toccata/dynamics/world/islands.hpp"

namespace toccata {

/// The bodies of an island. A body has an index in the simulation and a slot in the island; robots
/// have slots of their own. Reuses its buffers across calls.
class IslandBodies {
 public:
  void start(const Island& island, std::span<SimulatedBody> all, std::span<SimulatedRobot> robots,
             const Vec3d& gravity);

  std::size_t count() const { return island_->bodies.size(); }
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
  /// Slows down robots with motions that end higher than their energy allows. If contacts have
  /// pushed robots, also slows down the bodies marked in `touching`, by slot.
  void afford(const std::vector<bool>& touching, double duration);
  /// Returns whether kinetic energy suffices for the height at the end of a motion.
  bool affords(const std::vector<bool>& touching, double duration);
  /// Takes the energy that time-stepping errors have given to robots without contact impulses.
  /// Returns the change of their energy beyond the allowance of `execute`.
  double keep_energies();
  /// Takes an excess of energy from the bodies marked in `touching`, by slot.
  void take_energy(const std::vector<bool>& touching, double excess);
  /// Returns whether energy enters that `energy` does not include.
  bool is_driven() const;

  bool has_robots() const { return !robots_.empty(); }
  std::span<SimulatedRobot* const> robots() const { return robots_; }
  /// Activates the joints that impulses on the links among these bodies would move, in robots with
  /// chosen joints.
  void activate(std::span<const Index> bodies);
  /// Computes the mobilities of the links among these bodies.
  void find_mobilities(std::span<const Index> bodies);
  /// Applies contact impulses to robots as a whole: the solver has updated some of their links
  /// only.
  void push_robots(BodyVelocities& all, const ContactPoints& contacts);
  /// Stops joints that would leave their limits within `duration`. Returns whether that changed
  /// velocities.
  bool stop_at_limits(double duration);
  /// Sets the velocities of a robot's links from its rates.
  void move_links(std::size_t robot, BodyVelocities& all);
  /// Sets the rates to execute of a robot, as far as its active joints allow.
  void propose(std::size_t robot, const std::vector<double>& rates);
  bool robot_moves(std::size_t robot) const { return moves(slot(leader_[robot])); }
  /// Computes the accelerations of links by forces that act for `duration`.
  void find_link_accelerations(double duration);
  /// Returns the slot of a link's robot.
  std::size_t robot_of(Index body) const { return robot_slot_[all_[body].robot]; }

  /// Prepares the motions of the next `duration` seconds; motions of links are valid until the next
  /// call.
  void start_motions(double duration);
  Motion motion(Index body, double duration) const;
  /// Returns the motions of a pair: in the world, or for two links of a robot, in the last frame
  /// that carries both.
  std::pair<Motion, Motion> motions(const SimulatedPair& pair, double duration) const;
  /// Bounds the change of the distance of two bodies during these motions.
  double relative_travel(const SimulatedPair& pair, double duration) const;
  /// Bounds the displacement of all points of a body during a portion of its motion.
  double travel(Index body, double duration, double part) const;
  /// Enclosing balls of the bodies of a pair during their `motions`; nothing for a body without a
  /// full turn.
  using Balls = std::pair<std::optional<EnclosingBall>, std::optional<EnclosingBall>>;
  Balls balls(const SimulatedPair& pair, double duration) const;
  /// Bounds the errors of the poses of both bodies that motions do not include.
  double rounding(const SimulatedPair& pair) const;

 private:
  /// An energy account: robots that springs connect, because springs exchange energy between them.
  struct Account {
    std::vector<std::size_t> robots;  // slots
    bool is_driven = false;
  };
  void open_accounts();
  bool is_driven(const SimulatedRobot& robot) const;
  bool is_pushed(const Account& account) const;
  bool has_link(std::size_t robot, const std::vector<bool>& marked) const;
  void find_heights(std::span<const std::size_t> robots, const BodyVelocities& all,
                    double duration);
  bool affords(const Account& account, double duration);
  bool affords_together(const std::vector<bool>& touching, double duration);
  double settle(const Account& account);
  void slow_proposal(std::size_t robot, double share);
  /// Returns the number of joints that carry both bodies of a pair: 0 unless they are links of one
  /// robot.
  std::size_t common_joints(const SimulatedPair& pair) const;
  void load_robots(double push);
  void find_blocks(std::size_t robot);
  void kick(const SimulatedRobot& robot, double duration, std::vector<double>& rates, Kick half);
  void displace_links(std::size_t robot, const BodyVelocities& all, double duration);
  double execute_robots(double duration, double push, double& lift);
  void move_robots(double duration, double& lift);
  double work_on(const SimulatedRobot& robot, std::size_t slot, const BodyVelocities& all,
                 double duration) const;

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
  std::vector<Account> accounts_;
  std::vector<bool> pushed_, stopped_;      // by robot: by contacts and by limits, in this substep
  std::vector<double> before_;              // by robot: energy at the start of a substep
  std::vector<double> expected_;            // by robot: energy allowed after a motion
  std::vector<double> heights_, unpushed_;  // by robot: potential energy after a motion
  std::vector<std::size_t> moving_;         // slots of robots
  LinkMobilities mobilities_;
  std::vector<LinkMotions> motions_;
  std::vector<MovingFrame> frames_;
  std::vector<Vec3d> link_acceleration_;  // by slot
  std::vector<FramePull> pulls_;
  std::vector<Index> touched_;
  std::vector<double> blocks_, end_, rest_;
};

}  // namespace toccata
