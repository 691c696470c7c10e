// Tree of 16-DOPs over intermediate clusters, over their blocks, and over the elements of a block.
// Nodes below the root of a block are made when a traversal first needs them.
#pragma once

#include <atomic>

#include "toccata/query/deforming/clusters/patches.hpp"
#include "toccata/query/deforming/kdop_tree.hpp"

namespace toccata {

/// Tree for a sequence of steps. The partition of elements is kept, the volumes are made for each
/// step.
class ClusterTree {
 public:
  /// Starts with new blocks and discards the previous ones.
  void reset(const Features& features, const Blocks& blocks, unsigned threads);

  /// Adds a block, and returns its index.
  Index add(std::span<const Index> elements);
  /// Replaces the elements of a block, and discards its nodes.
  void replace(Index block, std::span<const Index> elements);
  /// Removes an element from the block that has it.
  void remove(Index block, Index element);

  /// Returns whether there was room for all added elements. If not, only `reset` may be called.
  bool has_room() const;

  /// Makes the volumes of blocks and of all nodes above for a step. `clusters` has the blocks of
  /// each intermediate cluster.
  void start(const KdopSource& source, const Partition& clusters, unsigned threads);

  /// Makes the two children of a node, once. Other threads wait meanwhile.
  void expand(Index node, unsigned worker) {
    if (states_[node].load(std::memory_order_acquire) != State::expanded) split_once(node, worker);
  }

  /// Calls visit(element) for the elements of a block.
  template <class Visit>
  void for_each_element(Index block, const Visit& visit) const {
    for (const KdopItem& item : items_of(block))
      if (item.id != removed) visit(item.id);
  }

  Index count() const { return static_cast<Index>(spans_.size()); }
  Index element_count(Index block) const { return spans_[block].present; }
  Index root() const { return root_; }
  const KdopNodes& nodes() const { return nodes_; }

 private:
  enum class State : std::uint8_t { expanded, unexpanded, busy };
  static constexpr Index removed = -1;  ///< replaces the id of a removed element
  /// Largest number of elements of a node for which common bridges are computed.
  static constexpr Index most_with_bridges = 16;

  /// Items of a block.
  struct Span {
    Index begin, count;
    Index present;  ///< number of items that have not been removed
  };

  /// Range of nodes reserved for one worker. Ranges are separate to prevent false sharing.
  struct alignas(128) Room {
    static constexpr Index size = 256;
    Index next = 0, end = 0;
  };

  Index root_of(Index block) const { return most_ + block; }
  bool is_root(Index node) const { return node < 2 * most_; }
  std::span<const KdopItem> items_of(Index block) const {
    return std::span(items_).subspan(spans_[block].begin, spans_[block].count);
  }
  Span put_items(std::span<const Index> elements);
  void put_node(Index node, Index begin, Index count);
  void put_root(Index block) { put_node(root_of(block), spans_[block].begin, spans_[block].count); }
  void fit(Index node);
  void refit(Index node);
  Membership membership(std::span<const KdopItem> items) const;
  Membership membership(Index left, Index right) const;
  void split_once(Index node, unsigned worker);
  void split(Index node, unsigned worker);
  void locate(std::span<KdopItem> items) const;
  Index next_pair(unsigned worker);
  Index join(std::span<KdopItem> roots);
  KdopItem item_of_node(Index node) const;

  const KdopSource* source_ = nullptr;
  std::vector<Span> spans_;              ///< by block
  UninitializedVector<KdopItem> items_;  ///< all elements, block by block; added ones at the end
  Index used_ = 0;                       ///< number of items
  /// Maximum number of blocks. The first `most_` nodes are above them, the next `most_` are
  /// their roots, and all others are below.
  Index most_ = 0;
  KdopNodes nodes_;
  UninitializedVector<Index> begins_;               ///< first item of each node in a cluster
  UninitializedVector<std::atomic<State>> states_;  ///< state of each node that is not a leaf
  std::atomic<Index> next_{0};                      ///< next node below the roots
  Index next_above_ = 0;
  std::vector<Room> rooms_;  ///< by worker
  Index root_ = 0;
};

}  // namespace toccata
