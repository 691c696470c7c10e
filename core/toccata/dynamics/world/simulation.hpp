// Bodies that move by forces and contacts and never penetrate: a solver proposes velocities,
// `first_contact` certifies the motions, and only what is proven is executed (docs/dynamics.md).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "toccata/dynamics/world/island_step.hpp"
#include "toccata/dynamics/world/islands.hpp"

namespace toccata {

/// What happened during one step.
struct StepReport {
  Count substeps = 0;   ///< of the island that took most
  Count truncated = 0;  ///< substeps of which less was proven than proposed
  Count stopped = 0;    ///< bodies that lost the rest of the step
  Count passes = 0;     ///< of the contact solver
  Count islands = 0, awake = 0;
  double lift = 0;  ///< potential energy gained by pushing bodies apart
  double least_distance = infinity;
};

/// Two bodies that touch at a point.
struct SimulatedContact {
  Index a, b;
  Vec3d point, normal;  ///< from b to a
  double distance;
  Vec3d force;  ///< on a
};

/// An articulated body with all that a simulation needs to know of it.
struct RobotParts {
  std::string name;
  ArticulatedBody* body;
  std::vector<RobotLink> links;
  std::vector<bool> tested;                         ///< of links a and b, at a * links + b
  std::set<std::pair<Index, std::string>> ignored;  ///< links and bodies that may touch
  ActiveChoice choice;
};

/// Bodies are kept in the order of their names, so that results do not depend on the order in which
/// they were added. Meshes must outlive it.
class Simulation {
 public:
  explicit Simulation(const SimulationOptions& options) : options_(options) {}

  /// Throws `invalid_argument` for curved surfaces and masses that no body can have.
  void add(const std::string& name, SimulatedBody body);
  void remove(const std::string& name);
  /// Its links become bodies, those with a joint of -1 fixed ones. One of them has to move.
  void add_robot(const RobotParts& parts, const Material& material);
  void remove_robot(const std::string& name);
  /// Takes over what users did to articulated bodies. Returns whether one was put elsewhere.
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
  /// Of all pairs.
  double least_shell() const;

  /// A pair that is too near to start from, with its distance and the least that is needed.
  struct Obstacle {
    Index a = -1, b = -1;
    double distance = 0, least = 0;
  };
  /// Checks bodies that were put where they are against all others. If there is no obstacle, all
  /// bodies are certified. Two bodies that are certified already may be nearer: motions lead there.
  Obstacle obstacle();
  bool is_certified() const;

  /// What touched at the end of the last substep.
  std::vector<SimulatedContact> contacts() const;

  /// All that changes from step to step, as numbers; a simulation of the same bodies goes on from
  /// them, bit by bit. Changes nothing.
  std::vector<double> state();
  /// Trusts a state as a simulation of the same bodies has saved it. Any other is taken as a start:
  /// its numbers are checked here, and no body is certified.
  void restore(std::span<const double> state, bool is_trusted);

  StepReport step(StepRecord* record = nullptr);
  /// The body is awake again, with all that fell asleep with it.
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
  /// Of a body that stays where it is; lasts until robots rest again.
  Motion resting(Index i) const;
  double rounding(Index i) const;
  bool tests(Index i, Index j) const;
  const std::vector<RegionPair>& find_pairs(std::span<const Region> regions);
  double low(Index a, Index b) const;

  bool try_step(StepReport& report, StepRecord* record);
  void keep_start();
  void start_again();
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
  std::vector<std::vector<double>>
      before_robots_;  // configurations, rates, what was lost, in turns
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
