// Boxes of the links of an articulated body, in a binary tree for each rigid group.
#pragma once

#include "toccata/dynamics/articulated/link_tree.hpp"
#include "toccata/geometry/box.hpp"

namespace toccata {

/// Boxes in the frames of rigid groups. They change with the groups only.
class LinkBoxes {
 public:
  struct Node {
    Box box;
    Index link = -1;   ///< -1: an inner node, whose first child is the next node
    Index right = -1;  ///< the second child
    Index group = 0;
  };

  /// Builds the boxes of the links of `tree` that are moving bodies, from the boxes of these
  /// bodies.
  void build(const LinkTree& tree, std::span<const Index> links,
             std::span<const SimulatedBody> bodies);

  const Node& node(Index i) const { return nodes_[i]; }
  /// Returns the roots of all groups that have links.
  std::span<const Index> roots() const { return roots_; }

 private:
  Index add(Index group, std::span<const Index> links, std::span<const Box> boxes);

  std::vector<Node> nodes_;
  std::vector<Index> roots_;
};

/// Returns the box of a posed box, rounded.
inline Box box_at(const Pose& pose, const Vec3d& middle, const Vec3d& half) {
  const Vec3d at = pose * middle;
  const Mat3d& r = pose.rotation;
  const Vec3d reach = abs(r.x) * half.x + abs(r.y) * half.y + abs(r.z) * half.z;
  return {at - reach, at + reach};
}

}  // namespace toccata
