// method="hca" for robots: hierarchical conservative advancement with temporal culling (Tang et al.
// 2013, section 5, algorithm 4).
//
// Each pair of bodies gets a lower bound of its time of contact, by a traversal that stops early
// (HCA_sub), and an upper bound, by a pair of triangles. Pairs with a lower bound after the least
// upper bound are culled. The others are traversed in the order of their lower bounds.
//
// Two details differ from the paper: the triangles are at the end of the earliest branch instead of
// random, and a traversal resumes where the last one stopped, so that no bound is computed twice.
#pragma once

#include "toccata/query/robot_first_contact/first_contact.hpp"
#include "toccata/query/robot_first_contact/hca_walk.hpp"
#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/open_pairs.hpp"

namespace toccata {

/// The search of method="hca". Reuses its buffers across queries; one per thread.
class HcaSearch {
 public:
  /// Returns the first contact on the motion from q_0 to q_1. `known` may be null.
  RobotContact run(const Robot& robot, const BodySet& world, const double* q_0, const double* q_1,
                   const RobotOptions& options, const KnownContacts* known);

 private:
  /// A pending pair of bodies, free until `time`.
  struct Pending {
    double time;
    Index candidate;
    Index begin = 0, end = 0;     ///< range of its node pairs in `fronts_`
    RobotPair* bodies = nullptr;  ///< null until the pair is opened
  };

  bool matters(const Pending& pair) const {
    return !walk_.is_over() && pair.time < walk_.earliest().cutoff;
  }
  void cull();
  void walk_apart();
  void walk(Pending& pair, Extent extent);
  void drop_late();
  RobotPair& open_pair(Pending& pair);
  void recall(const KnownContacts& known);
  void conclude();

  RobotInWorld* setting_ = nullptr;
  LinkPoses poses_;
  BroadPhase broad_;
  HcaPairs pairs_;
  DepthFirst<HcaPairs> walk_;
  std::span<const Candidate> candidates_;
  OpenPairs<RobotInWorld> opened_;
  std::vector<Pending> pending_;
  std::vector<DepthTask> fronts_;
  RobotContact found_;
};

}  // namespace toccata
