#include "toccata/query/articulated/guess.hpp"

#include <algorithm>
#include <vector>

#include "toccata/query/rigid/expand.hpp"

namespace toccata {
namespace {

/// Families and leaves looked at, per pair of bodies: about what a pair of links that are near each
/// other takes.
constexpr int most_looks = 128;

struct Overlap {
  float gap;
  NodePair nodes;
};

}  // namespace

std::optional<Touch> guess_touch(LivePair& live, double time, Places& places, Stats& stats) {
  const MovingPair& pair = live.pair();
  const Span moment{time, time};
  thread_local std::vector<Overlap> stack;
  stack.assign(1, {0, root_pair()});
  for (int looks = 0; !stack.empty() && looks < most_looks; ++looks) {
    const NodePair nodes = stack.back().nodes;
    stack.pop_back();
    if (are_leaves(pair, nodes)) {
      const Index a = element(pair.mesh_a().bvh().child(nodes.a));
      const Index b = element(pair.mesh_b().bvh().child(nodes.b));
      ++stats.elementary_tests;
      const LeafApproach leaf = approach_leaves(pair, live.at(moment, places), a, b);
      if (leaf.touches) return Touch{a, b, leaf.triangles};
      continue;
    }
    const Expansion<VolumeKind::box> expansion(pair, nodes);
    const Approach bounds =
        expansion.bounds(live.relative(moment, expansion.family().of_a, places));
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(expansion.used());
    const auto separation = static_cast<float>(pair.separation());
    const auto first = static_cast<std::ptrdiff_t>(stack.size());
    for_lanes(expansion.used() & bits(bounds.gap <= separation + Pack{}), [&](int lane) {
      stack.push_back({bounds.gap[lane], expansion.child(lane)});
    });
    // The deepest overlap goes on top.
    std::sort(stack.begin() + first, stack.end(),
              [](const Overlap& s, const Overlap& t) { return s.gap > t.gap; });
  }
  return std::nullopt;
}

double guess_time(unsigned k) {
  double time = k == 0 ? 1 : 0;
  for (double half = 0.5; k > 0; k >>= 1, half /= 2)
    if (k & 1) time += half;
  return time;
}

}  // namespace toccata
