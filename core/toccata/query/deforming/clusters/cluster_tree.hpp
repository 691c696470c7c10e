// A tree of 16-DOPs over intermediate clusters, over their leaf clusters, and over the elements of
// a leaf cluster. Nodes below the root of a leaf cluster are made when a walk first needs them.
#pragma once

#include <atomic>

#include "toccata/query/deforming/clusters/patches.hpp"
#include "toccata/query/deforming/kdop_tree.hpp"

namespace toccata {

/// It serves one step after the other: where elements were split stays, volumes are made anew.
class ClusterTree {
 public:
  /// Takes leaf clusters, and forgets those that there were.
  void reset(const Features& features, const LeafClusters& leaves, unsigned threads);

  /// Adds a leaf cluster, and returns its index.
  Index add(std::span<const Index> elements);
  /// Puts other elements into a leaf cluster; how they were split is lost.
  void replace(Index leaf, std::span<const Index> elements);
  /// Takes an element out of a leaf cluster that has it.
  void remove(Index leaf, Index element);

  /// Whether there is room for what was added. Without it, nothing may be asked before `reset`.
  bool has_room() const;

  /// Makes the volumes of leaf clusters and those above for a step. `clusters` are the leaf
  /// clusters of each intermediate one.
  void start(const KdopSource& source, const Partition& clusters, unsigned threads);

  /// Makes the two nodes below a node, once; other threads wait for them.
  void open(Index node, unsigned worker) {
    if (states_[node].load(std::memory_order_acquire) != State::open) split_once(node, worker);
  }

  /// Calls visit(element) for those of a leaf cluster.
  template <class Visit>
  void for_each_element(Index leaf, const Visit& visit) const {
    for (const KdopItem& item : items_of(leaf))
      if (item.id != removed) visit(item.id);
  }

  Index count() const { return static_cast<Index>(spans_.size()); }
  Index element_count(Index leaf) const { return spans_[leaf].present; }
  Index root() const { return root_; }
  const KdopNodes& nodes() const { return nodes_; }

 private:
  enum class State : std::uint8_t { open, closed, busy };
  static constexpr Index removed = -1;       ///< in the place of an element
  static constexpr Index most_covered = 16;  ///< elements of a node that is asked for bridges

  /// The items of a leaf cluster.
  struct Span {
    Index begin, count;
    Index present;  ///< those that have not been removed
  };

  /// Where a worker makes its nodes. Those of several workers do not mix: a thread that reads a
  /// node would wait for another that writes beside it.
  struct alignas(128) Room {
    static constexpr Index size = 256;
    Index next = 0, end = 0;
  };

  Index root_of(Index leaf) const { return most_ + leaf; }
  bool is_root(Index node) const { return node < 2 * most_; }
  std::span<const KdopItem> items_of(Index leaf) const {
    return std::span(items_).subspan(spans_[leaf].begin, spans_[leaf].count);
  }
  Span put_items(std::span<const Index> elements);
  void put_node(Index node, Index begin, Index count);
  void put_root(Index leaf) { put_node(root_of(leaf), spans_[leaf].begin, spans_[leaf].count); }
  void fit(Index node);
  void refit(Index node);
  Cover cover(std::span<const KdopItem> items) const;
  Cover cover(Index left, Index right) const;
  void split_once(Index node, unsigned worker);
  void split(Index node, unsigned worker);
  void locate(std::span<KdopItem> items) const;
  Index next_pair(unsigned worker);
  Index join(std::span<KdopItem> roots);
  KdopItem item_of_node(Index node) const;

  const KdopSource* source_ = nullptr;
  std::vector<Span> spans_;              ///< of each leaf cluster
  UninitializedVector<KdopItem> items_;  ///< all elements, leaf by leaf; those added at the end
  Index used_ = 0;                       ///< items
  /// Of leaf clusters. Nodes from 0 on are those above them, from `most_` on their roots, and from
  /// 2 `most_` on those below.
  Index most_ = 0;
  KdopNodes nodes_;
  UninitializedVector<Index> begins_;               ///< of each node in a cluster: its first item
  UninitializedVector<std::atomic<State>> states_;  ///< of each node that is no leaf
  std::atomic<Index> next_{0};                      ///< node below
  Index next_above_ = 0;
  std::vector<Room> rooms_;  ///< of each worker
  Index root_ = 0;
};

}  // namespace toccata
