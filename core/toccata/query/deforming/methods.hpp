// Methods to find the contacts of a step. They differ in the tree that is traversed against itself.
#pragma once

#include <mutex>

#include "toccata/query/deforming/clusters/clustering.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata {

/// Large buffers of a step, kept for the next step because the allocation of new memory takes
/// longer than its use. Only `StepMethod::automatic` uses results of the previous step: its
/// clusters, which it proves again.
struct StepMemory {
  UninitializedVector<KdopPoint> points;
  Clustering clusters;
  UninitializedVector<KdopItem> items;
  KdopNodes nodes;
  std::mutex in_use;
};

/// Finds contacts with method "bvh": a tree of 16-DOPs over all elements, rebuilt for each step. He
/// et al. 2015 compare their clusters with this method.
StepContacts contacts_by_bvh(const StepProblem& problem, const LocalFrame& local, unsigned threads);

/// Finds contacts with method "clusters", after He et al. 2015: patches that are proven free of
/// self-contact, a tree of 16-DOPs over them, and trees below them that are built only where the
/// traversal needs them.
StepContacts contacts_by_clusters(const StepProblem& problem, const LocalFrame& local,
                                  unsigned threads);

/// Does the same, and reuses the clusters if the last step was one of the same mesh.
StepContacts contacts_by_kept_clusters(const StepProblem& problem, const LocalFrame& local,
                                       unsigned threads);

/// Finds contacts with method "auto": the method that is likely to be fastest.
StepContacts contacts_by_the_fastest(const StepProblem& problem, const LocalFrame& local,
                                     unsigned threads);

}  // namespace toccata
