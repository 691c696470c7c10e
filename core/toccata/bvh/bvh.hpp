// Bounding volume hierarchy (BVH) of a rigid body: flat, immutable, built once. Each node stores
// its eight children by coordinate, so SIMD operations process all of them together.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/bvh/volume.hpp"
#include "toccata/math/pack.hpp"

namespace toccata {

/// The volume of a node with which a query works.
enum class VolumeKind { box, swept };

/// A node with up to eight children, stored by coordinate. Unused lanes repeat lane 0 and have
/// `no_child`.
struct WideNode {
  static constexpr Index no_child = INT32_MIN;

  Mat3p axes;
  Vec3p center;
  Vec3p box_half;
  Pack swept_half_x, swept_half_y, swept_radius;
  Pack reach;                      ///< largest distance of a point of the contents from the center
  std::array<Index, lanes> child;  ///< index of a node, or ~element for a leaf
  unsigned used;                   ///< bit i is set if lane i has a child
};

/// Reference to one child of a node, and thereby to its volume and its contents.
struct NodeRef {
  Index value;  ///< not negative
  NodeRef(Index node, int lane) : value(node * lanes + lane) {}
  Index node() const { return value >> 3; }
  int lane() const { return value & 7; }
  static_assert(lanes == 8);
};

inline void set_volumes(WideNode& node, int lane, const FittedVolumes& v) {
  const auto put = [lane](Vec3p& to, const Vec3f& from) { set_lane(to, lane, from); };
  put(node.axes.x, v.box.axes.x);
  put(node.axes.y, v.box.axes.y);
  put(node.axes.z, v.box.axes.z);
  put(node.center, v.box.center);
  put(node.box_half, v.box.half);
  node.swept_half_x.set(lane, v.swept.half.x);
  node.swept_half_y.set(lane, v.swept.half.y);
  node.swept_radius.set(lane, v.swept.radius);
  node.reach.set(lane, v.reach);
}

template <VolumeKind kind>
Volume volume(const WideNode& node, int lane) {
  const auto get = [lane](const Vec3p& v) { return toccata::lane(v, lane); };
  Volume result{{get(node.axes.x), get(node.axes.y), get(node.axes.z)}, get(node.center), {}, 0};
  if constexpr (kind == VolumeKind::box) {
    result.half = get(node.box_half);
  } else {
    result.half = {node.swept_half_x[lane], node.swept_half_y[lane], 0};
    result.radius = node.swept_radius[lane];
  }
  return result;
}

/// A hierarchy. Node 0 has one child, the whole body, which is never a leaf. Each leaf has one
/// element: a triangle, or a cell of a surface.
struct Bvh {
  std::vector<WideNode> nodes;

  static NodeRef root() { return {0, 0}; }
  Index child(NodeRef ref) const { return nodes[ref.node()].child[ref.lane()]; }
};

inline bool is_leaf(Index child) { return child < 0; }
inline Index element(Index child) { return ~child; }

/// Builds a hierarchy from top to bottom: splits the part with the largest box until there are
/// eight. Takes O(n log n) time, because each side of a cut has at least a 32nd of the elements.
/// `corners` has three points per element, a triangle, relative to the body's center.
Bvh build_bvh(std::span<const Vec3d> corners);

/// Builds a hierarchy of elements that lie within `margins[i]` of the convex hull of two triangles
/// each. `corners` has six points per element.
Bvh build_bvh(std::span<const Vec3d> corners, std::span<const double> margins);

}  // namespace toccata
