// The broad phase of robots: which pairs can touch at all, and from when on (Redon et al. 2004,
// stage 1: a dynamic hierarchy of boxes around the swept links).
//
// First the boxes of whole motions are compared, eight at a time, or by the assembly tree if only
// some joints move. Then time is cut into windows, for large motions in two steps, up to the first
// window in which a pair may touch.
#pragma once

#include <span>
#include <vector>

#include "toccata/broad/assembly_walk.hpp"
#include "toccata/broad/link_boxes.hpp"

namespace toccata {

/// Reuses its buffers across queries; one per thread.
class BroadPhase {
 public:
  /// Returns the pairs whose boxes meet, in no particular order.
  std::span<Candidate> run(const Robot& robot, const World& world, LinkPoses& poses,
                           const BroadQuery& query) {
    start(robot, world, poses, query);
    return refine();
  }
  /// Takes its first step alone: compares the boxes of whole motions.
  std::span<Candidate> start(const Robot& robot, const World& world, LinkPoses& poses,
                             const BroadQuery& query);
  /// The same by the assembly tree, for a robot of which only some joints move.
  std::span<Candidate> start(const AssemblyWalk::Setting& setting, const BroadQuery& query);
  /// Takes its second step: windows.
  std::span<Candidate> refine();

  /// Bounds from below how far apart the balls around two bodies are at a time of the motion,
  /// beyond the distance that counts as touching. A body of the world has its box.
  double gap(const Candidate& candidate, double time) { return boxes_.gap(candidate, time); }

 private:
  void against_world();
  void against_itself();
  void cut(int count);

  const Robot* robot_ = nullptr;
  LinkPoses* poses_ = nullptr;
  bool by_tree_ = false;  // the assembly tree has found the candidates
  LinkBoxes boxes_;
  std::vector<BoxPack> packs_;  // of the links' boxes over the whole motion
  std::vector<Candidate> found_, waiting_;
  AssemblyWalk walk_;
};

}  // namespace toccata
