// Binary trees of moving 16-DOPs over the elements of a deforming mesh.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/cover.hpp"
#include "toccata/query/deforming/features.hpp"
#include "toccata/query/deforming/kdop.hpp"

namespace toccata {

/// One thing to be split from the others by where it is.
struct KdopItem {
  std::array<float, 3> place;  ///< the same multiple for all that are split
  Index id;

  KdopItem() = default;
  KdopItem(const Pack& place, Index id) : place{place[0], place[1], place[2]}, id(id) {}
};

/// What the volumes of one step are made from.
struct KdopSource {
  const Features& features;
  std::span<const KdopPoint> points;  ///< of each vertex
  Pack margin;
  double diagonal;                ///< bounds the distances of all vertices
  std::span<const Cover> covers;  ///< of each face; empty if nothing is proven
  bool inner_everywhere = true;   ///< whether all of these are inner, as without a separation

  /// Fills `memory` with them.
  KdopSource(const Features& features, const LocalFrame& local,
             UninitializedVector<KdopPoint>& memory, unsigned threads);

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
  Cover cover(Index e) const {
    return static_cast<std::size_t>(e) < covers.size() ? covers[e] : Cover::in(Cover::none);
  }
};

/// What is below a node: two nodes, or one element.
struct KdopLink {
  static constexpr Index none = -1;
  Index left, right;
  Index element;
  Index count;  ///< elements below

  bool is_leaf() const { return element != none; }
  static KdopLink leaf(Index element) { return {none, none, element, 1}; }
  static KdopLink inner(Index left, Index right, Index count) { return {left, right, none, count}; }
};

/// Volumes and links of nodes.
struct KdopNodes {
  UninitializedVector<Kdop> volumes;
  UninitializedVector<KdopLink> links;
  UninitializedVector<Cover> covers;  ///< empty if nothing is proven

  /// Makes room for so many nodes, and forgets those that there were.
  void reset(std::size_t count, bool has_covers);
  bool has_covers() const { return !covers.empty(); }

  /// Makes a node of two others.
  void join(Index node, Index left, Index right) {
    links[node] = KdopLink::inner(left, right, links[left].count + links[right].count);
    volumes[node] = around(volumes[left], volumes[right]);
    if (has_covers()) covers[node] = common(covers[left], covers[right]);
  }
};

/// Sorts items such that the first `items.size() / 2` are on one side along the axis in which they
/// extend most. Ties are broken by the id, so that the tree does not depend on how the items came.
std::size_t split(std::span<KdopItem> items);

/// Sorts items such that those below the middle of where they are come first, and returns their
/// number; like `split` if nearly all are on one side. It takes less time.
std::size_t split_midway(std::span<KdopItem> items);

/// A tree by median splits over elements, in the nodes from `root` to `root + 2 items.size() - 1`.
void build_tree(const KdopSource& source, std::span<KdopItem> items, KdopNodes& nodes, Index root,
                unsigned threads);

}  // namespace toccata
