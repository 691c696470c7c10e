// Whether two bodies touch at some other time: a probe that proves what it finds and may overlook
// the rest. Bodies that pass through each other overlap so much that a few looks are enough.
#pragma once

#include <optional>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

struct Touch {
  Index a, b;  ///< elements of the two bodies
  TriangleApproach triangles;
};

/// Looks below some lanes of a siblings, where the boxes overlap most.
std::optional<Touch> probe(const PairView& view, const Siblings& siblings, unsigned lanes,
                           Stats& stats);

/// Looks at all of the two bodies.
inline std::optional<Touch> probe(const PairView& view, Stats& stats) {
  const Expansion<VolumeKind::box> expansion(view.pair(), root_pair());
  return probe(view, expansion.siblings(), expansion.used(), stats);
}

/// Times in (0, 1] that cut what is left into even parts: 1, 1/2, 1/4, 3/4, 1/8, 5/8, ...
double probe_time(unsigned k);

}  // namespace toccata
