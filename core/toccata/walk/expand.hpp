// The step that all traversals of two hierarchies share: a node pair is replaced by the children of
// its larger node, each paired with the other node, and these eight siblings are bounded at once.
#pragma once

#include <bit>
#include <cstring>

#include "toccata/narrow/advancement/triangle_lanes.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// A node or leaf of body a and one of body b.
struct NodePair {
  NodeRef a, b;
};

inline NodePair root_pair() { return {Bvh::root(), Bvh::root()}; }

inline bool are_leaves(const MovingPair& pair, const NodePair& nodes) {
  return is_leaf(pair.mesh_a().bvh().child(nodes.a)) && is_leaf(pair.mesh_b().bvh().child(nodes.b));
}

/// The elements of two leaves.
struct ElementPair {
  Index a, b;
};

inline ElementPair elements_of(const MovingPair& pair, const NodePair& leaves) {
  return {element(pair.mesh_a().bvh().child(leaves.a)),
          element(pair.mesh_b().bvh().child(leaves.b))};
}

/// Siblings: the children of node `parent` of one body, all paired with one node of the other.
struct Siblings {
  Index parent;
  NodeRef other;
  bool of_a;  ///< `parent` belongs to body a

  NodePair child(int lane) const {
    const NodeRef one{parent, lane};
    return of_a ? NodePair{one, other} : NodePair{other, one};
  }
};

/// Some node pairs of siblings: entries of a front.
struct FrontSiblings {
  Siblings nodes;
  unsigned lanes;
};

/// Siblings with access to their bounding volumes.
template <VolumeKind kind>
class Expansion {
 public:
  /// Splits the larger of the two nodes. At least one must not be a leaf.
  Expansion(const MovingPair& pair, const NodePair& nodes) : Expansion(pair, split(pair, nodes)) {}

  Expansion(const MovingPair& pair, const Siblings& siblings) : pair_(pair), siblings_(siblings) {
    node_ = &mesh().bvh().nodes[siblings_.parent];
    other_node_ = &other_mesh().bvh().nodes[siblings_.other.node()];
  }

  /// Returns bounds at the time of `state`. They hold until the end of its window.
  Approach bounds(const PairState& state) const {
    return bounds(pair_.relative(state, siblings_.of_a));
  }
  /// Returns these bounds for a state relative to the body of the split node.
  [[gnu::always_inline]] Approach bounds(const RelativeState& relative) const {
    return approach<kind>(*node_,
                          moving_volume<kind>(relative, *other_node_, siblings_.other.lane()),
                          relative, static_cast<float>(pair_.separation()));
  }

  /// Lengthens the advances of children whose volumes are close. Tests the face normal along which
  /// the volumes approach slowest, and bounds in double precision where single precision is too
  /// coarse. Advances beyond the window are not needed.
  Pack tighten(const PairState& state, double window, unsigned lanes, Pack step) const;

  /// Returns bounds of triangles instead of their boxes, for `children` that are triangles paired
  /// with a triangle.
  Approach triangle_bounds(const RelativeState& relative, unsigned children) const {
    const int lane = siblings_.other.lane();
    const float unit = unit_of(relative);
    TriangleHere here = triangle_at(other_mesh(), *other_node_, lane, unit);
    for (Vec3f& corner : here) corner = relative.rotation * corner + relative.offset * unit;
    const Separation found = separate(triangles_at(mesh(), *node_, children, unit), here);
    return approach(*node_, moving_volume<kind>(relative, *other_node_, lane), relative,
                    static_cast<float>(pair_.separation()), found.direction,
                    found.gap * (1 / unit) - relative.gap_slack);
  }

  const Siblings& siblings() const { return siblings_; }
  /// Returns the children that are triangles paired with a triangle.
  unsigned triangles() const {
    const bool curved = pair_.mesh_a().surface() || pair_.mesh_b().surface();
    if (curved || !is_leaf(other_node_->child[siblings_.other.lane()])) return 0;
    return used() & signs(children());
  }
  unsigned used() const { return node_->used; }
  NodePair child(int lane) const { return siblings_.child(lane); }

  /// Returns the split node. The other node is `other_node`.
  const WideNode& node() const { return *node_; }
  const WideNode& other_node() const { return *other_node_; }

  /// Returns for each child the sum of the reaches of its pair.
  Pack reach() const { return node_->reach + other_node_->reach[siblings_.other.lane()]; }

 private:
  const Mesh& mesh() const { return siblings_.of_a ? pair_.mesh_a() : pair_.mesh_b(); }
  const Mesh& other_mesh() const { return siblings_.of_a ? pair_.mesh_b() : pair_.mesh_a(); }
  Mask children() const {
    Mask child;
    std::memcpy(&child, node_->child.data(), sizeof child);
    return child;
  }

  /// Returns a measure of the size of a node. Area is better than length: a long thin volume stays
  /// long when it is split.
  static float area(const Bvh& bvh, NodeRef ref) {
    const WideNode& node = bvh.nodes[ref.node()];
    const int lane = ref.lane();
    const float x = node.box_half.x[lane], y = node.box_half.y[lane], z = node.box_half.z[lane];
    return x * y + y * z + z * x;
  }
  static Siblings split(const MovingPair& pair, const NodePair& nodes) {
    const Bvh &a = pair.mesh_a().bvh(), &b = pair.mesh_b().bvh();
    const Index child_a = a.child(nodes.a), child_b = b.child(nodes.b);
    const bool split_a = !is_leaf(child_a) &&
                         (is_leaf(child_b) || area(a, nodes.a) >= area(b, nodes.b));
    return split_a ? Siblings{child_a, nodes.b, true} : Siblings{child_b, nodes.a, false};
  }

  const MovingPair& pair_;
  Siblings siblings_;
  const WideNode *node_, *other_node_;
};

}  // namespace toccata
