// The bodies of an island during a step: how they move, and which of them are held.
#pragma once

#include <span>
#include <utility>

#include "toccata/dynamics/articulated/simulated_robot.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/world/contact_rows.hpp"
#include "toccata/dynamics/world/islands.hpp"

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

  /// Kinetic and potential energy of all bodies with mass.
  double energy() const;
  /// Slows robots down that would end a motion higher than their energy takes them, and, if
  /// contacts have pushed robots, bodies that `touching` marks by place together with them.
  void afford(const std::vector<bool>& touching, double duration);
  /// Returns whether kinetic energy pays for the height at the end of a motion.
  bool affords(const std::vector<bool>& touching, double duration);
  /// Takes the energy that errors of the time step have brought to robots that contacts did not
  /// push. Returns how much their energy has changed beyond the allowance of `execute`.
  double keep_energies();
  /// Takes an excess of energy from the bodies that `touching` marks by place.
  void take_energy(const std::vector<bool>& touching, double excess);
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
  /// Balls that contain the bodies of a pair during their `motions`; none for a body that does not
  /// make a full turn.
  using Balls = std::pair<std::optional<EnclosingBall>, std::optional<EnclosingBall>>;
  Balls balls(const SimulatedPair& pair, double duration) const;
  /// Of where both bodies are, as far as motions do not know of it.
  double rounding(const SimulatedPair& pair) const;

 private:
  /// Robots that springs connect: energy goes to and fro between them.
  struct Account {
    std::vector<std::size_t> robots;  // by place
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
  /// How many joints carry both bodies of a pair: 0 unless they are links of one robot.
  std::size_t common_joints(const SimulatedPair& pair) const;
  void load_robots(double push);
  void find_blocks(std::size_t robot);
  void kick(const SimulatedRobot& robot, double duration, std::vector<double>& rates, Kick half);
  void displace_links(std::size_t robot, const BodyVelocities& all, double duration);
  double execute_robots(double duration, double push, double& lift);
  void move_robots(double duration, double& lift);
  double work_on(const SimulatedRobot& robot, std::size_t place, const BodyVelocities& all,
                 double duration) const;

  const Island* island_ = nullptr;
  std::span<SimulatedBody> all_;
  Vec3d gravity_{0, 0, 0};
  std::vector<Index> place_;
  std::vector<bool> held_;
  bool frozen_ = false;
  std::vector<Displaced> displaced_;

  std::vector<SimulatedRobot*> robots_;
  std::vector<std::size_t> robot_place_;  // by robot of the simulation
  std::vector<Index> leader_;             // by robot of the island: one of its links
  std::vector<Account> accounts_;
  std::vector<bool> pushed_, stopped_;      // by robot: by contacts, by limits, during a substep
  std::vector<double> before_;              // by robot: its energy at the start of a substep
  std::vector<double> expected_;            // by robot: the energy that it may have after a motion
  std::vector<double> heights_, unpushed_;  // by robot: potential energies after a motion
  std::vector<std::size_t> moving_;         // robots
  LinkMobilities mobilities_;
  std::vector<LinkMotions> motions_;
  std::vector<MovingFrame> frames_;
  std::vector<Vec3d> link_acceleration_;  // by place
  std::vector<FramePull> pulls_;
  std::vector<Index> touched_;
  std::vector<double> blocks_, end_, rest_;
};

}  // namespace toccata
