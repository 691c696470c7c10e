// method="hca" for robots: hierarchical conservative advancement with temporal culling (Tang et al.
// 2013, section 5, algorithm 4).
//
// Every pair of bodies gets a lower bound of its time of contact by a walk that stops early
// (HCA_sub) and an upper bound by one pair of triangles. Pairs whose lower bound is later than the
// least upper bound are culled, the others are walked in the order of their lower bounds. Better
// than in the paper: the triangles are not random ones but those at the end of the earliest branch,
// and a walk goes on where the one before has stopped, so that no bound is computed twice.
#pragma once

#include "toccata/query/robot_first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/hca_walk.hpp"
#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/open_pairs.hpp"

namespace toccata {

/// Reuses its buffers across queries; one per thread.
class HcaSearch {
 public:
  /// `known` may be null.
  RobotContact run(const Robot& robot, const World& world, const double* q_0, const double* q_1,
                   const RobotOptions& options, const KnownContacts* known);

 private:
  /// A pair of bodies that is free until `time`: what is left of it is in `fronts_`.
  struct Open {
    double time;
    Index candidate;
    Index begin = 0, end = 0;
    RobotPair* bodies = nullptr;  ///< until it is first looked at
  };

  bool matters(const Open& open) const {
    return !walk_.is_over() && open.time < walk_.earliest().cutoff;
  }
  void cull();
  void walk_apart();
  void walk(Open& open, Extent extent);
  void drop_late();
  RobotPair& open_pair(Open& open);
  void recall(const KnownContacts& known);
  void conclude();

  RobotInWorld* setting_ = nullptr;
  LinkPoses poses_;
  BroadPhase broad_;
  HcaPairs pairs_;
  DepthFirst<HcaPairs> walk_;
  std::span<const Candidate> candidates_;
  OpenPairs<RobotInWorld> opened_;
  std::vector<Open> open_;
  std::vector<DepthTask> fronts_;
  RobotContact found_;
};

}  // namespace toccata
