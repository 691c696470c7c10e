// Binary trees of moving 16-DOPs over the elements of a deforming mesh.
#pragma once

#include <memory>
#include <vector>

#include "toccata/query/deforming/kdop.hpp"

namespace toccata {

/// What the volumes of one step are made from.
struct KdopSource {
  const Features& features;
  std::vector<Slab> slabs;  ///< of each vertex
  Pack margin;

  KdopSource(const Features& features, const LocalFrame& local, unsigned threads);

  template <class Vertices>
  Kdop around(const Vertices& vertices) const {
    Kdop k = empty_kdop();
    for (const Index v : vertices) extend(k, slabs[v]);
    return grown(k, margin);
  }
  Kdop element(Index e) const { return around(features.corners(e)); }
};

/// What is below a node: two nodes, or one element.
struct KdopLink {
  static constexpr Index none = -1;
  Index left, right;
  Index element;
  Index count;    ///< elements below
  Index cluster;  ///< whose tree has its root here and is built when first needed
  bool proven;    ///< nothing below touches anything else below

  bool is_leaf() const { return element != none; }
  static KdopLink leaf(Index element) { return {none, none, element, 1, none, false}; }
  static KdopLink inner(Index left, Index right, Index count) {
    return {left, right, none, count, none, false};
  }
};

/// Volumes and links of nodes; places that no tree uses are never touched.
struct KdopNodes {
  std::unique_ptr<Kdop[]> volumes;
  std::unique_ptr<KdopLink[]> links;

  explicit KdopNodes(std::size_t count)
      : volumes(std::make_unique_for_overwrite<Kdop[]>(count)),
        links(std::make_unique_for_overwrite<KdopLink[]>(count)) {}

  /// Makes a node of two others.
  void join(Index node, Index left, Index right) {
    links[node] = KdopLink::inner(left, right, links[left].count + links[right].count);
    volumes[node] = around(volumes[left], volumes[right]);
  }
};

/// One thing to be split from the others by the place of its middle.
struct KdopItem {
  std::array<float, 3> middle;
  Index id;
};
KdopItem item_of(const Kdop& volume, Index id);

/// Sorts items such that the first `items.size() / 2` are on one side along the axis in which they
/// extend most. Ties are broken by the id, so that the tree does not depend on how the items came.
std::size_t split(std::span<KdopItem> items);

/// A tree by median splits over elements, in the nodes from `root` to `root + 2 items.size() - 1`.
void build_tree(const KdopSource& source, std::span<KdopItem> items, KdopNodes& nodes, Index root,
                unsigned threads);

}  // namespace toccata
