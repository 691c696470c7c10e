// method="auto" and "adaptive" for robots: one best-first traversal over all pairs of bodies.
//
// The first two triangles that are popped in contact are the first contact of the whole robot.
// Node pairs are popped in the order of time, so link poses, computed at few times (Tang et al.
// 2013, section 5.3.2), serve all pairs.
#pragma once

#include <optional>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/probe.hpp"
#include "toccata/query/robot_first_contact/simultaneous.hpp"
#include "toccata/query/robot_first_contact/swept_cull.hpp"
#include "toccata/query/setting/open_pairs.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/walk/earliest_first.hpp"

namespace toccata {

/// Coherence of method="adaptive". Proofs and a front are kept only in sequences, so that other
/// answers do not depend on earlier queries.
struct AdaptiveCoherence {
  RigidGroups groups;
  GroupProofs proofs;
  AssemblyFront front;
  bool is_sequence = false;
  double most_active = 0.27;  ///< share of active joints up to which groups are used
};

/// The search of method="auto" and "adaptive". Reuses its buffers across queries; one per thread.
class RobotSearch {
 public:
  /// Returns the first contact on a motion. Without coherence, links are not grouped.
  RobotContact run(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                   const RobotOptions& options, AdaptiveCoherence* coherence = nullptr);

  /// Continues the last `run`, which ended in a contact, with a smaller separation for all pairs.
  /// All proofs so far are also valid for it.
  RobotContact resume(double separation);

 private:
  using Pairs = OpenPairs<RobotInWorld>;

  struct Query {
    const Robot& robot;
    const BodySet& world;
    const RobotMotion& motion;
    const RobotOptions& options;
    bool backwards;  // the motion is reversed
  };

  AdaptiveCoherence* cull(const Query& query, AdaptiveCoherence* adaptive);
  void start_broad_phase(const RobotMotion& motion, const RobotOptions& options,
                         AdaptiveCoherence* adaptive);
  void conclude_adaptive(AdaptiveCoherence& adaptive);
  void start_walk();
  void search();
  void enter_window();
  void probe();
  bool note(const RobotPair& bodies, const std::optional<Touch>& touch, double time);
  bool probe(const Candidate& candidate, double time);
  bool probe(const Branch& branch, double time);

  // The query.
  std::optional<RobotInWorld> setting_;
  Options options_;
  bool any_ = false;
  // The search.
  LinkPoses poses_;
  BroadPhase broad_;
  SweptCull swept_;
  Simultaneous intervals_;  // the exact stage by interval arithmetic
  std::span<Candidate> candidates_;
  std::vector<Index> later_;  // candidates whose first window has not been reached
  int windows_ = 0, window_ = 0;
  Pairs pairs_;
  EarliestFirst<Pairs> walk_;
  unsigned probes_ = 0;
  Count next_probe_ = 0;  // iterations after which the next probe is due
  RobotContact found_;
  Stopwatch watch_{false};
};

}  // namespace toccata
