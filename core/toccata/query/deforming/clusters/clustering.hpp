// Clusters of a mesh that cannot touch themselves, made for one step and renewed for the next.
#pragma once

#include "toccata/query/deforming/clusters/bridges.hpp"
#include "toccata/query/deforming/clusters/cluster_tree.hpp"

namespace toccata {

/// Intermediate clusters, the bridges between them, and a tree over their parts.
struct Clustering {
  std::uint64_t mesh = 0;    ///< the id of the features that they are of; 0: of none
  AtomicIndices owners;      ///< of each face
  std::vector<Index> seeds;  ///< of each cluster: the face with which O moves; none: loose edges
  std::vector<Index> leaf_owners;  ///< of each leaf cluster: its cluster
  std::vector<Index> added;  ///< of each cluster: the leaf cluster of faces that it took later
  UninitializedVector<Index> leaves;  ///< of each face: its leaf cluster
  ClusterTree tree;
  std::vector<Bridge> bridges;
  UninitializedVector<Cover> covers;  ///< of each face
  std::size_t made = 0;               ///< clusters that there were at first

  Index cluster(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Makes clusters, bridges and covers without those that there were.
void make_clusters(const PatchStep& step, unsigned threads, Clustering& out);

/// Makes the clusters of another step of the same mesh those of this one: what is still proven
/// stays, and the rest grows anew around the same seeds. Returns false if that is too much, or if
/// there have become too many; then they are of no use any more.
bool renew_clusters(const PatchStep& step, unsigned threads, Clustering& clusters);

}  // namespace toccata
