// What a step needs a lot of, kept for the next step: memory that is new costs more than its use.
#pragma once

#include <mutex>

#include "toccata/query/deforming/clustering.hpp"

namespace toccata {

/// Only `StepMethod::automatic` uses what was found in the step before: clusters, which have to be
/// proven again.
struct StepMemory {
  UninitializedVector<Slab> slabs;
  Clustering clusters;
  UninitializedVector<KdopItem> items;
  KdopNodes nodes;
  std::mutex in_use;
};

}  // namespace toccata
