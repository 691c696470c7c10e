// The hierarchy of a rigid body: flat, immutable, built once.
#pragma once

#include <span>
#include <vector>

#include "toccata/bvh/wide_node.hpp"

namespace toccata {

/// Node 0 has one child, the whole body, which is never a leaf. Leaves hold one element each: a
/// triangle, or a piece of a surface.
struct Bvh {
  std::vector<WideNode> nodes;

  static NodeRef root() { return {0, 0}; }
  Index child(NodeRef ref) const { return nodes[ref.node()].child[ref.lane()]; }
};

inline bool is_leaf(Index child) { return child < 0; }
inline Index element(Index child) { return ~child; }

/// Builds top down: the part with the largest box is cut in two until there are eight. O(n log n),
/// since no cut leaves less than a 32nd on one side. `corners` holds three points per element, a
/// triangle, relative to the body's center.
Bvh build_bvh(std::span<const Vec3d> corners);

/// The same for elements that lie within `margins[i]` of the convex hull of two triangles each:
/// `corners` holds six points per element.
Bvh build_bvh(std::span<const Vec3d> corners, std::span<const double> margins);

}  // namespace toccata
