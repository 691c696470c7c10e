// Bodies that move by forces and contacts and never penetrate: a solver proposes velocities,
// `first_contact` certifies the motions, and only what is proven is executed (docs/dynamics.md).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "toccata/dynamics/island_step.hpp"
#include "toccata/dynamics/islands.hpp"

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

/// Bodies are kept in the order of their names, so that results do not depend on the order in which
/// they were added. Meshes must outlive it.
class Simulation {
 public:
  explicit Simulation(const SimulationOptions& options) : options_(options) {}

  /// Throws `invalid_argument` for curved surfaces and masses that no body can have.
  void add(const std::string& name, SimulatedBody body);
  void remove(const std::string& name);

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
  Obstacle obstacle() const;

  /// What touched at the end of the last substep.
  std::vector<SimulatedContact> contacts() const;

  /// All that changes from step to step, as numbers; a simulation of the same bodies goes on from
  /// them, bit by bit.
  std::vector<double> state();
  void restore(std::span<const double> state);

  StepReport step(StepRecord* record = nullptr);
  /// The body is awake again, with all that fell asleep with it.
  void wake(Index i);
  void wake_all();

 private:
  bool try_step(StepReport& report, StepRecord* record);
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
  std::vector<double> reach_, factor_;
  std::vector<Region> regions_;
  RegionSweep sweep_;
  std::vector<SimulatedPair> pairs_, old_pairs_;
  std::vector<Impact> impacts_;
  IslandStep island_step_;
  Index next_group_ = 0;
};

}  // namespace toccata
