// The assembly tree of an articulated body (Kim, Redon, Kim 2008, section 2). A node connects two
// connected components by a joint, its principal joint.
//
// Joint j moves frame j + 1; frame 0 is the ground. The handles of a node are its frames with
// joints to the outside. Its principal handle is the handle closest to the ground. In the paper it
// is the handle to which the parent's joint is attached. With our choice, a node and its upper
// child have the same principal handle, and the principal handle of the lower child is the frame
// that the joint moves. All transforms are then products from the ground outward, without an
// inverse.
//
// The tree itself is constant. Transforms inside its nodes are updated from motion to motion in
// assembly_update.cpp.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/robot/joint.hpp"

namespace toccata {

/// Origin of a node's handle among the handles of a child. Slot -1 is the child's principal handle,
/// any other slot a secondary handle.
struct HandleSource {
  bool is_lower = false;
  Index slot = -1;
};

/// A node of the assembly tree.
struct AssemblyNode {
  Index parent = -1;  ///< a node; -1 for the root
  /// Children, or -1 for a leaf. `upper` is closer to the ground and has the parent frame of the
  /// joint. `lower` has the frame that the joint moves.
  Index upper = -1, lower = -1;
  Index joint = -1;                       ///< the principal joint; -1 for a leaf
  Index top = -1;                         ///< the principal handle, a frame
  std::array<Index, 2> handles{-1, -1};   ///< secondary handles, frames; -1: none
  std::array<HandleSource, 2> sources{};  ///< origins of the secondary handles
  Index hook = -1;                        ///< slot of the joint's parent frame in the upper child
  Index size = 1;                         ///< number of frames

  bool is_leaf() const { return joint < 0; }
};

/// A flat, balanced tree. Each node has at most three handles. Built once per robot.
class AssemblyTree {
 public:
  /// Joints come after their parents.
  explicit AssemblyTree(std::span<const Joint> joints);

  /// Returns all nodes. Node f is the leaf of frame f. Children come before their parents; the last
  /// node is the root.
  std::span<const AssemblyNode> nodes() const { return nodes_; }
  const AssemblyNode& operator[](Index node) const { return nodes_[node]; }
  Index root() const { return static_cast<Index>(nodes_.size()) - 1; }
  Index node_of_joint(Index joint) const { return node_of_joint_[joint]; }

 private:
  std::vector<AssemblyNode> nodes_;
  std::vector<Index> node_of_joint_;
};

}  // namespace toccata
