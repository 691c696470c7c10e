// Whether two bodies touch at some later time: a probe that proves what it finds and may overlook
// the rest. Bodies that pass through each other overlap so much that a few looks are enough.
#pragma once

#include <optional>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

struct Touch {
  Index a, b;  ///< elements of the two bodies
  TriangleApproach triangles;
};

/// Looks below some lanes of a family, where the boxes overlap most at `time`.
std::optional<Touch> probe_touch(RobotPair& bodies, const Family& family, unsigned lanes,
                                 double time, LinkPoses& poses, Stats& stats);

/// Looks at all of the two bodies.
inline std::optional<Touch> probe_touch(RobotPair& bodies, double time, LinkPoses& poses,
                                        Stats& stats) {
  const Expansion<VolumeKind::box> expansion(bodies.pair(), root_pair());
  return probe_touch(bodies, expansion.family(), expansion.used(), time, poses, stats);
}

/// Looks at all candidates, and writes a contact into `found` if there is one.
bool probe_contact(const RobotQuery& query, std::span<const Candidate> candidates,
                   BroadPhase& broad, double time, RobotContact& found);

/// Times in (0, 1] that cut what is left into even parts: 1, 1/2, 1/4, 3/4, 1/8, 5/8, ...
double probe_time(unsigned k);

}  // namespace toccata
