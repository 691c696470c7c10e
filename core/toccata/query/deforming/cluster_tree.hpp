// A tree of 16-DOPs over intermediate clusters, over their leaf clusters, and, built when first
// needed, over the elements of a leaf cluster.
#pragma once

#include <mutex>

#include "toccata/query/deforming/kdop_tree.hpp"
#include "toccata/query/deforming/leaf_clusters.hpp"

namespace toccata {

class ClusterTree {
 public:
  /// `proven`: intermediate clusters are not walked against themselves.
  ClusterTree(const KdopSource& source, const LeafClusters& clusters, bool proven,
              unsigned threads);

  /// Builds the tree of a cluster, once; other threads wait for it.
  void open(Index cluster);

  Index root() const { return root_; }
  const KdopNodes& nodes() const { return nodes_; }

 private:
  void add_cluster(Index cluster);
  Index join(std::span<KdopItem> roots);
  Index add_group(Index begin, Index end, bool proven);

  const KdopSource& source_;
  std::vector<Index> elements_, first_;  ///< those of cluster c start at first[c]
  std::unique_ptr<KdopItem[]> items_;    ///< a place for each element to be sorted in
  std::unique_ptr<std::once_flag[]> opened_;
  KdopNodes nodes_;  ///< those of cluster c from 2 first[c] on, those above clusters after them
  Index next_, root_;
};

}  // namespace toccata
