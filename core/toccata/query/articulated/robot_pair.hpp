// A pair of bodies that a walk over a robot looks at.
#pragma once

#include <memory>

#include "toccata/broad/robot_broad.hpp"
#include "toccata/query/articulated/contact_memory.hpp"
#include "toccata/query/articulated/robot_query.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// The elements of the pair that touched last, if both bodies still have such ones.
std::optional<ElementPair> recalled(const ContactMemory& memory, const RobotQuery& query,
                                    const Candidate& candidate);

class RobotPair {
 public:
  RobotPair(const RobotQuery& query, const Candidate& candidate);
  RobotPair(const RobotPair&) = delete;  // the pair points into it

  const MovingPair& pair() const { return pair_; }
  void set_separation(double separation) { pair_.set_separation(separation); }
  /// The two do not move relative to each other.
  bool is_at_rest() const { return !moves_a_ && !moves_b_; }
  Body body_a() const { return {*mesh_a_, motion_a_}; }
  Body body_b() const { return {*mesh_b_, motion_b_}; }
  const Candidate& candidate() const { return candidate_; }
  /// The frames that carry the two; -1 for a body that no joint moves.
  Index frame_a() const { return frame_a_; }
  Index frame_b() const { return frame_b_; }

  /// The time that was last asked for; negative if none was.
  double time() const { return view_.time(); }
  /// Both at the start of `span`, with bounds that hold until its end.
  const PairState& at(Span span, LinkPoses& poses);
  /// The same as volumes see it: `a_fills_lanes` says which body is x.
  const RelativeState& relative(Span span, bool a_fills_lanes, LinkPoses& poses);
  /// Both at `time`, by their poses alone: as if they stayed there. Not remembered.
  PairView posed(double time, LinkPoses& poses) const;

 private:
  RobotPair(const RobotQuery& query, const Candidate& candidate, const LinkPair* links);
  RobotPair(const RobotQuery& query, const Candidate& candidate, const LinkPair* links,
            const PairFrames& frames);
  static Motion moved(const Chain& chain) {
    return Motion(std::shared_ptr<const Chain>(std::shared_ptr<void>(), &chain));
  }

  Candidate candidate_;
  const Mesh *mesh_a_, *mesh_b_;
  Index frame_a_, frame_b_;
  Chain chain_a_, chain_b_;
  Motion motion_a_, motion_b_;
  bool moves_a_, moves_b_;
  MovingPair pair_;
  PairView view_;
};

}  // namespace toccata
