// World of rigid and articulated bodies that never penetrate: a solver proposes velocities,
// `first_contact` certifies the motions, and only the proven portion is executed
// (docs/dynamics.md).
#pragma once

#include <string>

#include "toccata/dynamics/world/body_table.hpp"
#include "toccata/dynamics/world/island_step.hpp"
#include "toccata/dynamics/world/saved_state.hpp"
#include "toccata/dynamics/world/step_regions.hpp"

namespace toccata {

/// Statistics of one step.
struct StepReport {
  Count substeps = 0;   ///< largest number of any island
  Count truncated = 0;  ///< substeps whose proven portion is shorter than the proposal
  Count stopped = 0;    ///< bodies that lost the rest of the step
  Count passes = 0;     ///< passes of the contact solver
  Count islands = 0, awake = 0;
  double lift = 0;  ///< potential energy added by pushes to the shell
  double least_distance = infinity;
};

/// A contact point of two bodies.
struct SimulatedContact {
  Index a, b;
  Vec3d point, normal;  ///< from b to a
  double distance;
  Vec3d force;  ///< on a
};

/// A world of bodies with mass. Bodies have indices in the order in which they were added. Meshes
/// and articulated bodies must outlive it.
class World {
 public:
  explicit World(const WorldOptions& options) : options_(options) {}

  /// Adds a body. Throws `invalid_argument` for curved surfaces and invalid mass properties.
  void add(const std::string& name, SimulatedBody body) { table_.add(name, std::move(body)); }
  void remove(const std::string& name) { erase(table_.index(name)); }
  /// Adds the links of an articulated body as bodies; links with joint -1 are fixed. At least one
  /// link must move.
  void add_robot(const RobotParts& parts, const Material& material) {
    table_.add_robot(parts, material);
  }
  void remove_robot(const std::string& name);
  /// Takes over changes that users made to articulated bodies. Returns whether one was moved.
  bool read_robots() { return table_.read_robots(); }

  std::size_t size() const { return table_.size(); }
  Index index(const std::string& name) const { return table_.index(name); }
  /// Returns a body. Places all links, because steps move only those that others can reach.
  SimulatedBody& body(Index i) {
    table_.place_links();
    return table_.bodies[i];
  }
  const std::vector<SimulatedRobot>& robots() const { return table_.robots; }
  const SimulatedRobot& robot(const std::string& name) const { return table_.robot(name); }

  WorldOptions& options() { return options_; }
  double time() const { return time_; }
  double energy() const { return table_.energy(options_.gravity); }
  const std::vector<Impact>& impacts() const { return impacts_; }
  const std::vector<SimulatedPair>& pairs() const { return pairs_; }
  double shell(Index a, Index b) const;
  /// Returns the smallest shell of all pairs.
  double least_shell() const;

  /// A pair that is too close to start from, with its distance and the least that is required.
  struct Obstacle {
    Index a = -1, b = -1;
    double distance = 0, least = 0;
  };
  /// Checks the bodies that were placed by hand against all others. If there is no obstacle,
  /// certifies all bodies. Two certified bodies may be closer, because motions lead there.
  Obstacle obstacle();
  bool is_certified() const;

  /// Returns the contacts at the end of the last substep.
  std::vector<SimulatedContact> contacts() const;

  /// Returns everything that changes from step to step, as numbers. A simulation of the same bodies
  /// continues from them bit by bit.
  std::vector<double> state();
  /// Restores a state. A trusted one was saved by a simulation of the same bodies. The numbers of
  /// any other are checked like those of a new start, and no body is certified.
  void restore(std::span<const double> state, bool is_trusted);

  StepReport step(StepRecord* record = nullptr);

  /// Moves a body to a pose, which the next `obstacle` checks. All bodies wake up.
  void move(Index i, const Pose& pose);
  /// Sets the velocity of a body's center of mass and its spin. The body wakes up.
  void set_velocity(Index i, const BodyVelocity& velocity);
  /// Adds a force at the center of mass, and a torque, to the next step. The body wakes up.
  void apply(Index i, const Vec3d& force, const Vec3d& torque);
  /// Wakes a body, with all bodies that fell asleep with it.
  void wake(Index i) { table_.wake(i); }
  void wake_all() { table_.wake_all(); }

 private:
  void erase(Index body);
  /// Returns the body at a position in the order of names.
  Index at(Index rank) const { return table_.by_name()[rank]; }

  void adapt_robots();
  void stop_robot(Index i);
  void rest_robots();
  /// Returns the motion of a body at rest, valid until the next `rest_robots`.
  Motion resting(Index i) const;
  double rounding(Index i) const;
  double resolution(Index a, Index b) const;

  const std::vector<RegionPair>& find_pairs(std::span<const Region> regions);
  void set_pair(SimulatedPair& pair) const;
  void renew_pairs(std::span<const RegionPair> found);

  bool try_step(StepReport& report, StepRecord* record);
  bool step_island(const Island& island, StepReport& report, StepRecord* record);
  void retry_after_escape(const Island& island, Index escaped);
  void save_start();
  void restore_start();
  void fall_asleep(const Island& island);
  bool is_slow(const SimulatedRobot& robot);

  WorldOptions options_;
  BodyTable table_;
  double time_ = 0;
  StepCounters counters_;
  std::vector<SimulatedPair> pairs_, old_pairs_;  // in the order of names
  std::vector<Impact> impacts_;

  /// Bodies that are no links at the start of the step, by rank.
  std::vector<SimulatedBody> before_;
  /// A robot at the start of the step.
  struct RobotStart {
    std::vector<double> q, v;
    double lost, quiet;
    Index group;
  };
  std::vector<RobotStart> before_robots_;
  std::vector<LinkMotions> resting_;
  std::vector<double> factor_;  // by body
  StepRegions regions_;
  RegionSweep sweep_;
  std::vector<MovingFrame> frames_;
  IslandStep island_step_;
};

}  // namespace toccata
