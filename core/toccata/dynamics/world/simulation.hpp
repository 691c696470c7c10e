// Simulation of rigid and articulated bodies that never penetrate: a solver proposes velocities,
// `first_contact` certifies the motions, and only the proven portion is executed
// (docs/dynamics.md).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "toccata/dynamics/world/island_step.hpp"
#include "toccata/dynamics/world/islands.hpp"

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

/// An articulated body with everything that a simulation needs.
struct RobotParts {
  std::string name;
  ArticulatedBody* body;
  std::vector<RobotLink> links;
  std::vector<bool> tested;                         ///< for links a and b at a * links + b
  std::set<std::pair<Index, std::string>> ignored;  ///< pairs of links and bodies that may touch
  ActiveChoice choice;
};

/// A world of bodies with mass, in the order of their names, so that results do not depend on the
/// order in which they were added. Meshes must outlive it.
class Simulation {
 public:
  explicit Simulation(const SimulationOptions& options) : options_(options) {}

  /// Adds a body. Throws `invalid_argument` for curved surfaces and invalid mass properties.
  void add(const std::string& name, SimulatedBody body);
  void remove(const std::string& name);
  /// Adds the links of an articulated body as bodies; links with joint -1 are fixed. At least one
  /// link must move.
  void add_robot(const RobotParts& parts, const Material& material);
  void remove_robot(const std::string& name);
  /// Takes over changes that users made to articulated bodies. Returns whether one was moved.
  bool read_robots();
  const std::vector<SimulatedRobot>& robots() const { return robots_; }

  std::size_t size() const { return bodies_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  SimulatedBody& body(Index i) { return bodies_[i]; }
  const SimulatedBody& body(Index i) const { return bodies_[i]; }

  SimulationOptions& options() { return options_; }
  double time() const { return time_; }
  double energy() const;
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
  /// Wakes a body, with all bodies that fell asleep with it.
  void wake(Index i);
  void wake_all();

 private:
  SimulatedBody& insert(const std::string& name, SimulatedBody body);
  void erase(const std::string& name);
  void number_links();
  bool is_asleep(const SimulatedRobot& robot) const;
  void wake_by_springs();
  void adapt_robots();
  void finish_robots();
  void stop_robot(Index i);
  void connect_robots();
  void rest_robots();
  /// Returns the motion of a body at rest, valid until the next `rest_robots`.
  Motion resting(Index i) const;
  double rounding(Index i) const;
  bool tests(Index i, Index j) const;
  const std::vector<RegionPair>& find_pairs(std::span<const Region> regions);
  double resolution(Index a, Index b) const;

  bool try_step(StepReport& report, StepRecord* record);
  void save_start();
  void restore_start();
  void find_regions();
  void set_pair(SimulatedPair& pair) const;
  void renew_pairs(std::span<const RegionPair> found);
  void fall_asleep(const Island& island);

  SimulationOptions options_;
  double time_ = 0;
  Count steps_ = 0;
  std::vector<std::string> names_;
  std::map<const Mesh*, std::shared_ptr<const FeatureRanks>> ranks_;
  std::vector<SimulatedBody> bodies_, before_;
  std::vector<SimulatedRobot> robots_;
  /// Configuration, rates and lost energy of each robot.
  std::vector<std::vector<double>> before_robots_;
  std::vector<LinkMotions> resting_;
  std::vector<MovingFrame> frames_;
  std::vector<double> reach_, factor_;
  std::vector<Region> regions_;
  RegionSweep sweep_;
  std::vector<SimulatedPair> pairs_, old_pairs_;
  std::vector<Impact> impacts_;
  IslandStep island_step_;
  Index next_group_ = 0;
};

}  // namespace toccata
