// The assembly tree of a robot, with bounds of the links on its frames.
#pragma once

#include "toccata/bvh/mesh.hpp"
#include "toccata/geometry/box.hpp"
#include "toccata/robot/assembly_tree.hpp"

namespace toccata {

/// A mesh in the frame that a joint moves (-1: the world). In a combination of robots, `base` is
/// the member: links that no joint moves are tested against each other only if they differ in it.
struct Link {
  const Mesh* mesh;
  Index joint;
  Index base = 0;
};

/// A box in a frame, given by its middle and its three half edges.
struct OrientedBox {
  Vec3d middle{0, 0, 0};
  Vec3d half[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

/// Assembly tree and lists of links and joints, built once per robot.
class Assembly {
 public:
  Assembly(std::span<const Joint> joints, std::span<const Link> links, Index coordinates);

  const AssemblyTree& tree() const { return tree_; }
  /// Returns the links of a frame. Frame 0 is the ground, frame j + 1 is moved by joint j.
  std::span<const Index> links(Index frame) const { return part(links_, frame); }
  /// Returns the frames that have links.
  std::span<const Index> frames() const { return frames_; }
  /// Returns the joints that depend on a coordinate of a configuration.
  std::span<const Index> joints(Index coordinate) const { return part(joints_, coordinate); }
  /// Returns a box around the links of a frame, in this frame; empty without links.
  const Box& box(Index frame) const { return boxes_[frame]; }
  /// Returns an oriented box around the links of a frame.
  const OrientedBox& oriented_box(Index frame) const { return oriented_[frame]; }
  /// Returns the largest distance of a point of the links from the frame's origin.
  double reach(Index frame) const { return reaches_[frame]; }

 private:
  /// Lists of indices, stored one after the other.
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
