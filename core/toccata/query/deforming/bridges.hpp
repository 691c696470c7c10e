// Bridges from clusters to their neighbours: patches across borders that cannot touch themselves.
#pragma once

#include "toccata/base/unfilled_vector.hpp"
#include "toccata/query/deforming/cover.hpp"
#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// Intermediate clusters: groups of patches, in a step.
struct ClusteredStep {
  const Features& features;
  StepFrames frames;
  double diagonal;
  const Patches& patches;
  const Partition& groups;
};

/// Makes the cover of each face. Wherever faces of two groups meet at a side, a patch grows around
/// that place for some rings, over faces of all groups and with a view of its own.
void build_bridges(const ClusteredStep& step, unsigned threads, UnfilledVector<Cover>& covers);

}  // namespace toccata
