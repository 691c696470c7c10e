// One step of the bodies of an island: substeps between impacts.
#pragma once

#include "toccata/dynamics/certify/pair_certifier.hpp"
#include "toccata/dynamics/world/island_contacts.hpp"

namespace toccata {

struct SimulationOptions {
  Vec3d gravity{0, 0, -9.81};
  double step = 1.0 / 120;
  double shell = 0;  ///< at which bodies rest; 0: a thousandth of the smaller one's radius
  bool sleeping = true;
  unsigned threads = 1;
  /// If there are some, they take the place of what the solver proposes, in turn: nobody has to
  /// trust it.
  std::vector<BodyVelocity> proposals;
};

/// What a robot did, straight in joint space, with all of its links.
struct RobotRecord {
  std::string name;
  double start, end;  ///< since the start of the step
  std::vector<double> before, rates;
  std::vector<Index> groups;  ///< by joint: the rigid group that its frame is in
};

/// Motions as they were executed, one after the other; those of links are their robots'.
struct StepRecord {
  std::vector<Index> body;
  std::vector<double> start, end;  ///< since the start of the step
  std::vector<Pose> before;
  std::vector<BodyVelocity> velocity;
  std::vector<RobotRecord> robots;
};

/// What became of an island.
struct IslandReport {
  Count substeps = 0;
  Count truncated = 0;  ///< substeps of which less was proven than proposed
  Count stopped = 0;    ///< bodies that lost the rest of the step
  Count passes = 0;     ///< of the contact solver
  double lift = 0;      ///< potential energy gained by pushing bodies apart
  double least_distance = infinity;
  Index escaped = -1;  ///< a body that would leave its region, or wake up: nothing is valid
};

/// The bodies and pairs of a simulation, as far as a step needs to know.
struct IslandScope {
  const SimulationOptions& options;
  std::span<SimulatedBody> bodies;
  std::span<SimulatedRobot> robots;
  std::span<SimulatedPair> pairs;
  std::span<const double> reach;  ///< how far each body may move during the step
  double time;
  std::vector<Impact>& impacts;
  StepRecord* record;
};

/// Keeps its memory from call to call.
class IslandStep {
 public:
  IslandReport run(const Island& island, const IslandScope& scope);

 private:
  template <class Work>
  void for_pairs(const Work& work);
  double now() const { return scope_->time + scope_->options.step - left_; }

  void substep();
  void find_near_pairs();
  bool wakes_others();
  bool collides();
  double time_of_turn() const;
  double propose(double tau);
  void take_proposals();
  double certify(double tau);
  bool hold_blocked(double part);
  bool stays_in_regions(double tau, double part);
  void execute(double tau, double part);
  void record(double duration);

  const Island* island_ = nullptr;
  const IslandScope* scope_ = nullptr;
  IslandReport report_;
  double left_ = 0;        // of the step
  bool is_stuck_ = false;  // nothing more is proven
  int events_ = 0, most_events_ = 0;
  Count proposed_ = 0;
  IslandBodies bodies_;
  IslandContacts contacts_;
  std::vector<SimulatedPair*> pairs_;
  std::vector<double> way_;    // how far bodies have moved at most
  std::vector<double> until_;  // which part is proven, by pair
};

}  // namespace toccata
