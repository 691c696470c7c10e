// The assembly tree of a robot, with the links that hang on its frames.
#pragma once

#include "toccata/bvh/mesh.hpp"
#include "toccata/geometry/box.hpp"
#include "toccata/robot/assembly_tree.hpp"

namespace toccata {

/// A mesh in the frame that a joint moves (-1: the world's). Of several robots in one, `base` tells
/// whose it is: links that no joint moves are tested against each other if they differ in it.
struct Link {
  const Mesh* mesh;
  Index joint;
  Index base = 0;
};

/// A box in a frame: its middle, and its three half edges.
struct OrientedBox {
  Vec3d middle{0, 0, 0};
  Vec3d half[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

class Assembly {
 public:
  Assembly(std::span<const Joint> joints, std::span<const Link> links, Index coordinates);

  const AssemblyTree& tree() const { return tree_; }
  /// The links of a frame: 0 is the ground, j + 1 is moved by joint j.
  std::span<const Index> links(Index frame) const { return part(links_, frame); }
  /// Frames that have links.
  std::span<const Index> frames() const { return frames_; }
  /// The joints that a number of a configuration moves.
  std::span<const Index> joints(Index coordinate) const { return part(joints_, coordinate); }
  /// Around the links of a frame, in it; empty if there are none.
  const Box& box(Index frame) const { return boxes_[frame]; }
  /// The same, of any orientation.
  const OrientedBox& oriented_box(Index frame) const { return oriented_[frame]; }
  /// No point of them is farther from the frame's origin.
  double reach(Index frame) const { return reaches_[frame]; }

 private:
  /// Lists one after the other.
  struct Lists {
    std::vector<Index> all, begin;
  };
  static std::span<const Index> part(const Lists& lists, Index i) {
    return {lists.all.data() + lists.begin[i], lists.all.data() + lists.begin[i + 1]};
  }

  AssemblyTree tree_;
  Lists links_, joints_;
  std::vector<Index> frames_;
  std::vector<Box> boxes_;
  std::vector<OrientedBox> oriented_;
  std::vector<double> reaches_;
};

}  // namespace toccata
