// What a step needs a lot of, kept for the next step: memory that is new costs more than its use.
#pragma once

#include <mutex>

#include "toccata/query/deforming/clustering.hpp"

namespace toccata {

/// Nothing that was found in one step is known in the next: with patches from the step before,
/// other pairs that come within the tolerance but do not touch would be skipped, and an answer would
/// depend on what was asked before.
struct StepMemory {
  UnfilledVector<Slab> slabs;
  Clustering clusters;
  UnfilledVector<KdopItem> items;
  KdopNodes nodes;
  std::mutex in_use;
};

}  // namespace toccata
