// Clusters of a mesh, certified free of self-contact, made for one step and renewed for the next.
#pragma once

#include "toccata/query/deforming/clusters/bridges.hpp"
#include "toccata/query/deforming/clusters/cluster_tree.hpp"
#include "toccata/query/deforming/step.hpp"

namespace toccata {

/// Intermediate clusters, their bridges, and the tree over their blocks.
struct Clustering {
  std::uint64_t mesh = 0;  ///< id of the features; 0 if there are no clusters
  /// Both clusters of each face. Answers share it, so a renewal changes a copy if there are any.
  std::shared_ptr<FaceClusters> faces;
  std::vector<Index> seeds;  ///< by cluster: the face with which O moves; none: loose edges
  std::vector<std::uint8_t> from_point;  ///< by cluster: true if its view is from a point
  std::vector<Index> block_owners;       ///< by block: its cluster
  std::vector<Index> added;              ///< by cluster: the block of faces that it took later
  std::vector<Index> patch_sizes;        ///< by patch: number of faces
  Index patch_count = 0;                 ///< number of patches that have faces
  UninitializedVector<Index> blocks;     ///< by face: its block
  ClusterTree tree;
  std::vector<Bridge> bridges;
  UninitializedVector<Membership> memberships;  ///< by face
  std::size_t made = 0;                         ///< number of clusters at first

  Index cluster(Index face) const { return faces->cluster(face); }
};

/// Makes new clusters, bridges and memberships.
void make_clusters(const PatchStep& step, unsigned threads, Clustering& out);

/// Renews the clusters of another step of the same mesh for this one: keeps those that can still be
/// certified, and grows the others again around the same seeds. Returns false if this takes too
/// much work, or if there are too many clusters. They are unusable then.
bool renew_clusters(const PatchStep& step, unsigned threads, Clustering& clusters);

}  // namespace toccata
