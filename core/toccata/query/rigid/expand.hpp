// The one step that all walks over two hierarchies share: replace a pair of nodes by the children
// of the larger one against the other, and bound all of these pairs at once.
#pragma once

#include <bit>

#include "toccata/query/rigid/pair.hpp"

namespace toccata {

/// A pair of nodes (or leaves) of the two bodies.
struct NodePair {
  NodeRef a, b;
};

inline NodePair root_pair() { return {Bvh::root(), Bvh::root()}; }

inline bool are_leaves(const MovingPair& pair, const NodePair& nodes) {
  return is_leaf(pair.mesh_a().bvh().child(nodes.a)) && is_leaf(pair.mesh_b().bvh().child(nodes.b));
}

/// The children of one node against a node of the other body.
template <VolumeKind kind>
class Expansion {
 public:
  /// Splits the larger of the two nodes. Not both may be leaves.
  Expansion(const MovingPair& pair, const NodePair& nodes) : pair_(pair), split_a_(splits_a(nodes)) {
    const Bvh &a = pair.mesh_a().bvh(), &b = pair.mesh_b().bvh();
    const NodeRef x = split_a_ ? nodes.a : nodes.b;
    y_ = (split_a_ ? nodes.b : nodes.a).value;
    parent_ = (split_a_ ? a : b).child(x);
    node_ = &(split_a_ ? a : b).nodes[parent_];
    const NodeRef y = split_a_ ? nodes.b : nodes.a;
    y_node_ = &(split_a_ ? b : a).nodes[y.node()];
    y_lane_ = y.lane();
  }

  /// Bounds at the time of `state`, which hold to the end of its window.
  Approach bounds(const PairState& state) const {
    const RelativeState relative = pair_.relative(state, split_a_);
    return approach<kind>(*node_, moving_volume<kind>(relative, *y_node_, y_lane_), relative,
                          static_cast<float>(pair_.separation()));
  }

  unsigned used() const { return node_->used; }

  NodePair child(int lane) const {
    const NodeRef x{parent_, lane}, y{y_ / lanes, y_ % lanes};
    return split_a_ ? NodePair{x, y} : NodePair{y, x};
  }

  /// How large the pair of child `lane` is.
  float reach(int lane) const { return node_->reach[lane] + y_node_->reach[y_lane_]; }

 private:
  bool splits_a(const NodePair& nodes) const {
    const Bvh &a = pair_.mesh_a().bvh(), &b = pair_.mesh_b().bvh();
    if (is_leaf(a.child(nodes.a))) return false;
    if (is_leaf(b.child(nodes.b))) return true;
    return a.nodes[nodes.a.node()].reach[nodes.a.lane()] >=
           b.nodes[nodes.b.node()].reach[nodes.b.lane()];
  }

  const MovingPair& pair_;
  bool split_a_;
  const WideNode *node_, *y_node_;
  Index parent_, y_;
  int y_lane_;
};

/// Calls `visit(lane)` for each set bit.
template <class Visit>
void for_lanes(unsigned bits, const Visit& visit) {
  for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
}

}  // namespace toccata
