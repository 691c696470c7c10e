// The broad phase of robots: the pairs that can touch, and the earliest times at which they can
// (Redon et al. 2004, stage 1: dynamic AABB culling of the swept links).
//
// The first step compares the boxes of whole motions, eight at a time, or by the assembly tree if
// only some joints move. The second step divides the motion into windows, in two levels for large
// motions, and finds the first window in which a pair may touch.
#pragma once

#include <span>
#include <vector>

#include "toccata/broad/assembly_walk.hpp"
#include "toccata/broad/link_distances.hpp"

namespace toccata {

/// The broad phase of one robot at a time. Reuses its buffers across queries; one per thread.
class BroadPhase {
 public:
  /// Returns the pairs whose boxes meet, in no particular order.
  std::span<Candidate> run(const Robot& robot, const BodySet& world, LinkPoses& poses,
                           const BroadQuery& query) {
    start(robot, world, poses, query);
    return refine();
  }
  /// Takes the first step: compares the boxes of whole motions.
  std::span<Candidate> start(const Robot& robot, const BodySet& world, LinkPoses& poses,
                             const BroadQuery& query);
  /// Takes the first step by the assembly tree, for motions of some joints.
  std::span<Candidate> start(const AssemblyWalk::Setting& setting, const BroadQuery& query);
  /// Takes the second step: compares the boxes of windows.
  std::span<Candidate> refine();

  /// Bounds the distance of two bodies at a time from below, minus the distance that counts as
  /// touching (`LinkDistances::gap`).
  double gap(const Candidate& candidate, double time) { return boxes_.gap(candidate, time); }

 private:
  void against_world();
  void against_itself();
  void cut(int count);

  const Robot* robot_ = nullptr;
  LinkPoses* poses_ = nullptr;
  bool by_tree_ = false;  // the assembly tree has found the candidates
  LinkDistances boxes_;
  std::vector<BoxPack> packs_;  // boxes of the links over the whole motion
  std::vector<Candidate> found_, waiting_;
  AssemblyWalk walk_;
};

}  // namespace toccata
