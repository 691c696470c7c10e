// The assembly tree: every joint joins two parts, few handles, little depth, and handles are found
// where nodes say.
#include <algorithm>
#include <bit>
#include <vector>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/robot/assembly_tree.hpp"

using namespace toccata;

namespace {

using testing::Random;

/// From a chain (0) to a tree of which every joint hangs anywhere (1).
std::vector<Joint> some_joints(Random& random, Index count, double branching) {
  std::vector<Joint> joints(count);
  for (Index j = 0; j < count; ++j)
    joints[j].parent = random.uniform(0, 1) < branching ? random.below(j + 1) - 1 : j - 1;
  return joints;
}

/// The frames of all nodes, by the tree alone.
std::vector<std::vector<Index>> frames_of_nodes(const AssemblyTree& tree) {
  std::vector<std::vector<Index>> frames;
  for (Index i = 0; i <= tree.root(); ++i) {
    const AssemblyNode& node = tree[i];
    if (node.is_leaf()) {
      frames.push_back({i});
      continue;
    }
    CHECK(node.upper < i && node.lower < i);
    std::vector<Index> all = frames[node.upper];
    all.insert(all.end(), frames[node.lower].begin(), frames[node.lower].end());
    std::sort(all.begin(), all.end());
    frames.push_back(std::move(all));
  }
  return frames;
}

Index handle(const AssemblyNode& node, Index slot) {
  return slot < 0 ? node.top : node.handles[slot];
}

void check_node(const AssemblyTree& tree, Index i, const std::vector<Joint>& joints,
                const std::vector<Index>& frames) {
  const AssemblyNode& node = tree[i];
  const auto has = [&](Index f) { return std::binary_search(frames.begin(), frames.end(), f); };
  CHECK(static_cast<std::size_t>(node.size) == frames.size());
  CHECK(node.top == frames[0]);
  std::vector<Index> boundary;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Index child = static_cast<Index>(j) + 1, parent = joints[j].parent + 1;
    CHECK(!has(child) || has(parent) || child == node.top);  // connected
    if (has(parent) && !has(child) && parent != node.top) boundary.push_back(parent);
  }
  std::sort(boundary.begin(), boundary.end());
  boundary.erase(std::unique(boundary.begin(), boundary.end()), boundary.end());
  CHECK(boundary.size() <= 2);
  boundary.resize(2, -1);
  if (!node.is_leaf()) CHECK(std::equal(boundary.begin(), boundary.end(), node.handles.begin()));
  if (node.is_leaf()) return;
  CHECK(tree[node.upper].parent == i && tree[node.lower].parent == i);
  CHECK(tree.node_of_joint(node.joint) == i);
  CHECK(tree[node.upper].top == node.top && tree[node.lower].top == node.joint + 1);
  CHECK(handle(tree[node.upper], node.hook) == joints[node.joint].parent + 1);
  for (int k = 0; k < 2 && node.handles[k] >= 0; ++k) {
    const HandleSource from = node.sources[k];
    CHECK(handle(tree[from.is_lower ? node.lower : node.upper], from.slot) == node.handles[k]);
  }
}

Index depth(const AssemblyTree& tree, Index node) {
  Index levels = 0;
  for (; tree[node].parent >= 0; node = tree[node].parent) ++levels;
  return levels;
}

void check_tree(Random& random, Index count, double branching) {
  const std::vector<Joint> joints = some_joints(random, count, branching);
  const AssemblyTree tree(joints);
  CHECK(tree.nodes().size() == static_cast<std::size_t>(2 * count + 1));
  CHECK(tree[tree.root()].parent == -1 && tree[tree.root()].size == count + 1);
  const auto frames = frames_of_nodes(tree);
  for (Index i = 0; i <= tree.root(); ++i) check_node(tree, i, joints, frames[i]);
  Index deepest = 0;
  for (Index f = 0; f <= count; ++f) deepest = std::max(deepest, depth(tree, f));
  const auto least = static_cast<Index>(std::bit_width(static_cast<unsigned>(count)));
  CHECK(deepest <= (branching > 0 ? 2 * least + 2 : least));
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 60);
  Random random(testing::seed(argc, argv, 8));
  for (int i = 0; i < count; ++i)
    check_tree(random, random.below(80), random.below(3) ? random.uniform(0, 1) : 0);
  for (const double branching : {0.0, 0.3, 0.8}) check_tree(random, 1000, branching);
}
