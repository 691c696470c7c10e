// The ways to find the contacts of a step. They differ in the tree that is walked against itself.
#pragma once

#include <mutex>

#include "toccata/query/deforming/clusters/clustering.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata {

/// What a step needs a lot of, kept for the next step: memory that is new costs more than its use.
/// Only `StepMethod::automatic` uses what was found in the step before: clusters, which have to be
/// proven again.
struct StepMemory {
  UninitializedVector<KdopPoint> points;
  Clustering clusters;
  UninitializedVector<KdopItem> items;
  KdopNodes nodes;
  std::mutex in_use;
};

/// Method "bvh": a tree of 16-DOPs over all elements, rebuilt for each step. It is what He et al.
/// 2015 compare their clusters with.
StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local, unsigned threads);

/// Method "clusters", after He et al. 2015: patches that provably do not touch themselves, a tree
/// of 16-DOPs over them, and trees below them that are built only where a walk gets there.
StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads);

/// The same with clusters that are renewed, if the last step was one of the same mesh.
StepContacts contacts_by_kept_clusters(const StepProblem& problem, const LocalFrame& local,
                                       unsigned threads);

/// Method "auto": the one of these that is likely to take less time.
StepContacts contacts_by_the_fastest(const StepProblem& problem, const LocalFrame& local,
                                     unsigned threads);

}  // namespace toccata
