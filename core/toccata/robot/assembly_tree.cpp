// Construction of balanced assembly trees by recursive cuts at joints.
#include "toccata/robot/assembly_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace toccata {
namespace {

constexpr Index most_handles = 3;

/// Recursive bisection of connected sets of frames.
class Splitter {
 public:
  Splitter(std::span<const Joint> joints, std::vector<AssemblyNode>& nodes,
           std::vector<Index>& node_of_joint)
      : nodes_(nodes), node_of_joint_(node_of_joint) {
    const std::size_t frames = joints.size() + 1;
    parent_.assign(frames, -1);
    children_.assign(frames, 0);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      parent_[j + 1] = joints[j].parent + 1;
      ++children_[joints[j].parent + 1];
    }
    part_.assign(frames, 0);
    size_.resize(frames), inner_.resize(frames), handles_.resize(frames);
  }

  /// Builds the node of `frames`, which are in order: the first is closest to the ground.
  Index build(std::vector<Index> frames) {
    if (frames.size() == 1) return frames[0];
    const Index id = measure(frames);
    const Index cut = find_cut(frames);
    std::vector<Index> upper, lower;
    const Index below = ++parts_;
    for (const Index f : frames) {
      const bool is_below = f == cut || (f != frames[0] && part_[parent_[f]] == below);
      part_[f] = is_below ? below : id;
      (is_below ? lower : upper).push_back(f);
    }
    const std::array<Index, 2> handles = secondary(frames);
    frames.clear();
    frames.shrink_to_fit();
    const Index a = build(std::move(upper)), b = build(std::move(lower));
    return join(a, b, cut, handles);
  }

 private:
  /// Counts the frames and handles below each frame of a part, which gets a new id.
  Index measure(std::span<const Index> frames) {
    const Index id = ++parts_;
    for (const Index f : frames) part_[f] = id, size_[f] = 1, inner_[f] = 0;
    for (std::size_t k = frames.size(); k-- > 1;) ++inner_[parent_[frames[k]]];
    for (const Index f : frames) handles_[f] = f == frames[0] || inner_[f] < children_[f];
    for (std::size_t k = frames.size(); k-- > 1;) {
      const Index f = frames[k];
      size_[parent_[f]] += size_[f];
      handles_[parent_[f]] += handles_[f];
    }
    return id;
  }

  /// Returns the frame with the joint to cut. A part with three handles is cut between them,
  /// because each side gets one more. All other parts are cut in the middle.
  Index find_cut(std::span<const Index> frames) const {
    const Index all = handles_[frames[0]], count = size_[frames[0]];
    const auto cost = [&](Index f) {
      const Index most = std::max(handles_[f], all - handles_[f]);
      return std::pair(all < most_handles ? 0 : most, std::abs(count - 2 * size_[f]));
    };
    return *std::min_element(frames.begin() + 1, frames.end(),
                             [&](Index a, Index b) { return cost(a) < cost(b); });
  }

  std::array<Index, 2> secondary(std::span<const Index> frames) const {
    std::array<Index, 2> found{-1, -1};
    std::size_t count = 0;
    for (const Index f : frames.subspan(1))
      if (inner_[f] < children_[f]) found[count++] = f;
    return found;
  }

  /// Returns the slot of a frame among the handles of a node.
  static Index slot(const AssemblyNode& node, Index frame) {
    return frame == node.top ? -1 : frame == node.handles[0] ? 0 : 1;
  }
  static bool has(const AssemblyNode& node, Index frame) {
    return frame == node.top || frame == node.handles[0] || frame == node.handles[1];
  }

  Index join(Index a, Index b, Index cut, const std::array<Index, 2>& handles) {
    const auto index = static_cast<Index>(nodes_.size());
    AssemblyNode node;
    node.upper = a, node.lower = b;
    node.joint = cut - 1;
    node.top = nodes_[a].top;
    node.handles = handles;
    node.hook = slot(nodes_[a], parent_[cut]);
    node.size = nodes_[a].size + nodes_[b].size;
    for (std::size_t k = 0; k < 2 && handles[k] >= 0; ++k) {
      const bool is_lower = has(nodes_[b], handles[k]);
      node.sources[k] = {is_lower, slot(nodes_[is_lower ? b : a], handles[k])};
    }
    nodes_[a].parent = nodes_[b].parent = index;
    node_of_joint_[node.joint] = index;
    nodes_.push_back(node);
    return index;
  }

  std::vector<AssemblyNode>& nodes_;
  std::vector<Index>& node_of_joint_;
  std::vector<Index> parent_;    // by frame
  std::vector<Index> children_;  // number of children of a frame in the robot
  std::vector<Index> part_;      // id of the part of a frame
  // Frames below, children inside the part, handles below.
  std::vector<Index> size_, inner_, handles_;
  Index parts_ = 0;
};

}  // namespace

AssemblyTree::AssemblyTree(std::span<const Joint> joints) : node_of_joint_(joints.size(), -1) {
  const auto frames = static_cast<Index>(joints.size()) + 1;
  nodes_.reserve(2 * frames - 1);
  std::vector<Index> all;
  for (Index f = 0; f < frames; ++f) {
    nodes_.push_back({.top = f});
    all.push_back(f);
  }
  Splitter(joints, nodes_, node_of_joint_).build(std::move(all));
}

}  // namespace toccata
