// The assembly tree of an articulated model (Kim, Redon, Kim 2008, section 2): a node joins two
// connected parts by a joint, its principal joint.
//
// A frame is what a joint moves; frame 0 is the ground, frame j + 1 is moved by joint j. The
// handles of a node are its frames with joints to the outside. Its principal handle is the one
// nearest to the ground, for every node: the paper takes the one at which the parent's joint
// attaches. So the part that is nearer to the ground has the principal handle of the whole, the
// other one has the frame of the joint, and all transforms are products from the ground outwards.
// No inverse occurs.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/robot/joint.hpp"

namespace toccata {

/// Where a node finds a handle among those of a child: -1 is the child's principal handle,
/// otherwise the number of a secondary one.
struct HandleSource {
  bool is_lower = false;
  Index slot = -1;
};

struct AssemblyNode {
  Index parent = -1;  ///< a node; -1: this is the root
  /// Children, or -1 for a leaf: the one that is nearer to the ground, with the frame that the
  /// joint hangs on, and the one that the joint moves.
  Index upper = -1, lower = -1;
  Index joint = -1;                       ///< the principal joint; -1: a leaf
  Index top = -1;                         ///< the principal handle, a frame
  std::array<Index, 2> handles{-1, -1};   ///< secondary handles, frames; -1: none
  std::array<HandleSource, 2> sources{};  ///< of the secondary handles
  Index hook = -1;  ///< slot of the frame that the joint hangs on, in the upper child
  Index size = 1;   ///< frames

  bool is_leaf() const { return joint < 0; }
};

/// Flat, balanced, with at most three handles for a node. Built once per robot.
class AssemblyTree {
 public:
  /// Joints come after their parents.
  explicit AssemblyTree(std::span<const Joint> joints);

  /// Node f is the leaf of frame f. Children come before their parents; the last node is the root.
  std::span<const AssemblyNode> nodes() const { return nodes_; }
  const AssemblyNode& operator[](Index node) const { return nodes_[node]; }
  Index root() const { return static_cast<Index>(nodes_.size()) - 1; }
  Index node_of_joint(Index joint) const { return node_of_joint_[joint]; }

 private:
  std::vector<AssemblyNode> nodes_;
  std::vector<Index> node_of_joint_;
};

}  // namespace toccata
