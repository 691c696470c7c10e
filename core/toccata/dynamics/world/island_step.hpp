// One step of an island: substeps between impacts, each one proposed by the solver, certified, and
// executed.
#pragma once

#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/dynamics/world/island_contacts.hpp"
#include "toccata/dynamics/world/island_motions.hpp"

namespace toccata {

struct WorldOptions {
  Vec3d gravity{0, 0, -9.81};
  double step = 1.0 / 120;
  double shell =
      0;  ///< distance at which bodies rest; 0: a thousandth of the smaller body's radius
  bool sleeping = true;
  unsigned threads = 1;
  /// Replacements for the solver's proposals, used in turn if there are any: any proposal is safe.
  std::vector<BodyVelocity> proposals;
};

/// An executed motion of a robot with all of its links, straight in joint space.
struct RobotRecord {
  std::string name;
  double start, end;  ///< since the start of the step
  std::vector<double> before, rates;
  std::vector<Index> groups;  ///< by joint: the rigid group of its frame
};

/// Executed motions in their order. Those of links are in `robots`.
struct StepRecord {
  std::vector<Index> body;
  std::vector<double> start, end;  ///< since the start of the step
  std::vector<Pose> before;
  std::vector<BodyVelocity> velocity;
  std::vector<RobotRecord> robots;
};

/// Statistics of an island's step.
struct IslandReport {
  Count substeps = 0;
  Count truncated = 0;  ///< substeps whose proven portion is shorter than the proposal
  Count stopped = 0;    ///< bodies that lost the rest of the step
  Count passes = 0;     ///< of the contact solver
  double lift = 0;      ///< potential energy added by pushes to the shell
  double least_distance = infinity;
  Index escaped = -1;  ///< body that would leave its region or wake up: the step is invalid
};

/// The parts of a simulation that a step of an island reads and changes.
struct IslandScope {
  const WorldOptions& options;
  std::span<SimulatedBody> bodies;
  std::span<SimulatedRobot> robots;
  std::span<SimulatedPair> pairs;
  std::span<const double> reach;  ///< bound of each body's motion during the step
  double time;
  std::vector<Impact>& impacts;
  StepRecord* record;
};

/// Stepper of islands. Reuses its buffers across calls.
class IslandStep {
 public:
  IslandReport run(const Island& island, const IslandScope& scope);

 private:
  template <class Work>
  void for_pairs(const Work& work);
  double now() const { return scope_->time + scope_->options.step - left_; }

  void substep();
  void list_proximities();
  bool wakes_others();
  bool collides();
  double time_of_turn() const;
  double propose(double tau);
  void take_proposals();
  double certify(double tau);
  bool hold_blocked(double part);
  bool stays_in_regions(double part);
  void execute(double tau, double part);
  void record(double duration);

  const Island* island_ = nullptr;
  const IslandScope* scope_ = nullptr;
  IslandReport report_;
  double left_ = 0;        // remaining seconds of the step
  bool is_stuck_ = false;  // whether nothing more is proven
  int events_ = 0, most_events_ = 0;
  Count proposed_ = 0;
  IslandBodies bodies_;
  IslandContacts contacts_;
  IslandMotions motions_;
  std::vector<SimulatedPair*> pairs_;
  std::vector<double> travel_;  // by slot: bound of the motion since the start of the step
  std::vector<double> until_;   // by pair: proven portion of the proposal
};

}  // namespace toccata
