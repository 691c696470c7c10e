// Whether two bodies touch at some later time: a guess that proves what it finds and may overlook
// the rest. Bodies that pass through each other overlap so much that a few looks are enough.
#pragma once

#include <optional>

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/live_pair.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {

struct Touch {
  Index a, b;  ///< elements of the two bodies
  TriangleApproach triangles;
};

/// Looks below some lanes of a family, where the boxes overlap most at `time`.
std::optional<Touch> guess_touch(LivePair& live, const Family& family, unsigned lanes, double time,
                                 Places& places, Stats& stats);

/// Looks at all of the two bodies.
inline std::optional<Touch> guess_touch(LivePair& live, double time, Places& places, Stats& stats) {
  const Expansion<VolumeKind::box> expansion(live.pair(), root_pair());
  return guess_touch(live, expansion.family(), expansion.used(), time, places, stats);
}

/// Looks at all candidates, and writes a contact into `found` if there is one.
bool guess_contact(const Journey& journey, std::span<const Candidate> candidates, BroadPhase& broad,
                   double time, RobotContact& found);

/// Times in (0, 1] that cut what is left into even parts: 1, 1/2, 1/4, 3/4, 1/8, 5/8, ...
double guess_time(unsigned k);

}  // namespace toccata
