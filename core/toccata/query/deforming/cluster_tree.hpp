// A tree of 16-DOPs over groups of clusters, over clusters, and, built when first needed, over the
// elements of a cluster.
#pragma once

#include <mutex>

#include "toccata/query/deforming/kdop_tree.hpp"
#include "toccata/query/deforming/merge_clusters.hpp"

namespace toccata {

class ClusterTree {
 public:
  /// `proven`: the proofs of clusters and groups count; else they only give the tree its shape.
  ClusterTree(const KdopSource& source, const Clusters& clusters, const ClusterGroups& groups,
              bool proven, unsigned threads);

  /// Builds the tree of a cluster, once; other threads wait for it.
  void open(Index cluster);

  Index root() const { return root_; }
  const KdopNodes& nodes() const { return nodes_; }

 private:
  std::span<Index> place(Index cluster);
  void add_cluster(Index cluster);
  Index join(std::span<KdopItem> roots);
  Index add_group(std::span<const Index> clusters, bool proven);

  const KdopSource& source_;
  std::vector<Index> elements_, first_;  ///< those of cluster c start at first[c]
  std::unique_ptr<KdopItem[]> items_;    ///< a place for each element to be sorted in
  std::unique_ptr<std::once_flag[]> opened_;
  KdopNodes nodes_;  ///< those of cluster c from 2 first[c] on, those above clusters after them
  Index next_, root_;
};

}  // namespace toccata
