// Binary trees of moving 16-DOPs over the elements of a deforming mesh.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/membership.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/kdop.hpp"

namespace toccata {

/// An item to be split from others by its position.
struct KdopItem {
  std::array<float, 3> position;  ///< scaled by one factor for all items that are split together
  Index id;

  KdopItem() = default;
  KdopItem(const Pack& position, Index id)
      : position{position[0], position[1], position[2]}, id(id) {}
};

/// Data from which the volumes of one step are made.
struct KdopSource {
  const Features& features;
  std::span<const KdopPoint> points;  ///< by vertex
  Pack margin;
  double diagonal;                          ///< bounds the distances of all vertices
  std::span<const Membership> memberships;  ///< by face; empty if nothing is proven
  bool inner_everywhere = true;             ///< all memberships are inner, as without a separation

  /// Converts all vertices and stores them in `workspace`.
  KdopSource(const Features& features, const LocalFrame& local,
             UninitializedVector<KdopPoint>& workspace, unsigned threads);

  template <class Vertices>
  Kdop around(const Vertices& vertices) const {
    Kdop k = empty_kdop();
    for (const Index v : vertices) extend(k, points[v]);
    return grown(k, margin);
  }
  Kdop element(Index e) const { return around(features.corners(e)); }
  KdopItem item(Index e) const {
    const auto [a, b, c] = features.corners(e);
    return {(points[a].start + points[b].start + points[c].start) +
                (points[a].end + points[b].end + points[c].end),
            e};
  }
  Membership membership(Index e) const {
    return static_cast<std::size_t>(e) < memberships.size() ? memberships[e]
                                                            : Membership::in(Membership::none);
  }
};

/// Content of a node: two nodes, or one element.
struct KdopLink {
  static constexpr Index none = -1;
  Index left, right;
  Index element;
  Index count;  ///< number of elements below

  bool is_leaf() const { return element != none; }
  static KdopLink leaf(Index element) { return {none, none, element, 1}; }
  static KdopLink inner(Index left, Index right, Index count) { return {left, right, none, count}; }
};

/// Nodes with their volumes, links and memberships.
struct KdopNodes {
  UninitializedVector<Kdop> volumes;
  UninitializedVector<KdopLink> links;
  UninitializedVector<Membership> memberships;  ///< empty if nothing is proven

  /// Makes room for `count` nodes and discards the previous ones.
  void reset(std::size_t count, bool has_memberships);
  bool has_memberships() const { return !memberships.empty(); }

  /// Makes a node with two children.
  void join(Index node, Index left, Index right) {
    links[node] = KdopLink::inner(left, right, links[left].count + links[right].count);
    volumes[node] = around(volumes[left], volumes[right]);
    if (has_memberships()) memberships[node] = common(memberships[left], memberships[right]);
  }
};

/// Sorts items, with the first `items.size() / 2` on one side along the axis in which they extend
/// most. Breaks ties by id, so the tree does not depend on the initial order.
std::size_t split(std::span<KdopItem> items);

/// Sorts items, with those below the middle of their extent first, and returns the number of those.
/// Faster than `split`, which it calls if almost all items are on one side.
std::size_t split_midway(std::span<KdopItem> items);

/// Builds a tree over elements by median splits, in the nodes from `root` to `root + 2 items.size()
/// - 1`.
void build_tree(const KdopSource& source, std::span<KdopItem> items, KdopNodes& nodes, Index root,
                unsigned threads);

}  // namespace toccata
