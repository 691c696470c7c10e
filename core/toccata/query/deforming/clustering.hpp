// Clusters of a mesh that cannot touch themselves, made for one step and renewed for the next.
#pragma once

#include "toccata/query/deforming/bridges.hpp"
#include "toccata/query/deforming/cluster_tree.hpp"

namespace toccata {

/// Intermediate clusters, called groups, the bridges between them, and a tree over their parts.
struct Clustering {
  std::uint64_t mesh = 0;      ///< the number of the features that they are of; 0: of none
  AtomicIndices groups;        ///< of each face
  std::vector<Index> seeds;    ///< of each group: the face with which O moves; none: loose edges
  std::vector<Index> owners;   ///< of each leaf cluster: its group
  std::vector<Index> adopted;  ///< of each group: the leaf cluster of faces that it took later
  UninitializedVector<Index> leaves;  ///< of each face: its leaf cluster
  ClusterTree tree;
  std::vector<Bridge> bridges;
  UninitializedVector<Cover> covers;  ///< of each face
  std::size_t made = 0;               ///< groups that there were at first

  Index group(Index face) const { return groups[face].load(std::memory_order_relaxed); }
};

/// A step of a mesh, for which clusters are proven not to touch themselves.
struct ClusteredStep {
  const Features& features;
  StepFrames frames;
  double diagonal;
};

/// Makes clusters without those that there were; bridges and covers only if they are asked for.
void make_clusters(const ClusteredStep& step, bool bridges, unsigned threads, Clustering& out);

/// Makes the clusters of another step of the same mesh those of this one: what is still proven
/// stays, and the rest grows anew around the same seeds. Returns false if that is too much, or if
/// there have become too many; then they are of no use any more.
bool renew_clusters(const ClusteredStep& step, unsigned threads, Clustering& clusters);

}  // namespace toccata
