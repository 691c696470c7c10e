// A tree of 16-DOPs over intermediate clusters, over their leaf clusters, and over the elements of
// a leaf cluster. Nodes below the root of a leaf cluster are made when a walk first needs them.
#pragma once

#include <atomic>

#include "toccata/query/deforming/leaf_clusters.hpp"
#include "toccata/query/deforming/step_memory.hpp"

namespace toccata {

class ClusterTree {
 public:
  ClusterTree(const KdopSource& source, const LeafClusters& clusters, StepMemory& memory,
              unsigned threads);

  /// Makes the two nodes below a node, once; other threads wait for them.
  void open(Index node, unsigned worker) {
    if (states_[node].load(std::memory_order_acquire) != State::open) split_once(node, worker);
  }

  Index root() const { return root_; }
  const KdopNodes& nodes() const { return nodes_; }

 private:
  enum class State : std::uint8_t { open, closed, busy };

  /// Where a worker makes its nodes. Those of several workers do not mix: a thread that reads a
  /// node would wait for another that writes beside it.
  struct alignas(128) Room {
    static constexpr Index size = 256;
    Index next = 0, end = 0;
  };

  void add_cluster(Index cluster, std::span<const Index> elements);
  void add_node(Index node, Index begin, Index end);
  Cover cover(std::span<const KdopItem> items) const;
  void split_once(Index node, unsigned worker);
  Index next_pair(unsigned worker);
  Index join(std::span<KdopItem> roots);
  Index join_clusters(Index begin, Index end);
  KdopItem item_of_node(Index node) const;

  const KdopSource& source_;
  std::vector<Index> first_;          ///< the items of cluster c start at first[c]
  UnfilledVector<KdopItem>& items_;   ///< all elements, cluster by cluster
  KdopNodes& nodes_;                  ///< the roots of clusters, then those above, then those below
  UnfilledVector<Index>& begins_;     ///< of each node in a cluster: its first item
  UnfilledVector<std::atomic<State>> states_;  ///< of each node that is no leaf
  std::atomic<Index> next_;
  std::vector<Room> rooms_;  ///< of each worker
  Index root_;
};

}  // namespace toccata
