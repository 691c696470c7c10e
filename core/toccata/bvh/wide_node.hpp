// Nodes of the hierarchy: eight children side by side, so that one packed computation meets all.
#pragma once

#include <array>

#include "toccata/base/index.hpp"
#include "toccata/bvh/volume.hpp"
#include "toccata/math/pack.hpp"

namespace toccata {

/// Which of a node's two volumes a query works with.
enum class VolumeKind { box, swept };

/// Up to eight children, coordinate by coordinate. Unused lanes repeat lane 0 and have `no_child`.
struct WideNode {
  static constexpr Index no_child = INT32_MIN;

  Mat3p axes;
  Vec3p center;
  Vec3p box_half;
  Pack swept_half_x, swept_half_y, swept_radius;
  Pack reach;                      ///< no point below is farther from the center
  std::array<Index, lanes> child;  ///< a node, or ~element for a leaf
  unsigned used;                   ///< bit i is set when lane i holds a child
};

/// Names one child of one node: its volume, and through `child` what is below it.
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

}  // namespace toccata
