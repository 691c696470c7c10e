#include "toccata/query/articulated/guess.hpp"

#include <algorithm>
#include <vector>

#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

/// Families and leaves looked at: about what two links that are near each other take.
constexpr int most_looks = 128;

struct Overlap {
  float gap;
  NodePair nodes;
};

}  // namespace

std::optional<Touch> guess_touch(LivePair& live, const Family& family, unsigned lanes, double time,
                                 Places& places, Stats& stats) {
  const MovingPair& pair = live.pair();
  const Span moment{time, time};
  const auto separation = static_cast<float>(pair.separation());
  thread_local std::vector<Overlap> stack;
  stack.clear();
  const auto look = [&](const Expansion<VolumeKind::box>& expansion, unsigned wanted) {
    const Family& f = expansion.family();
    const Pack gap = box_gap(expansion.node(), expansion.other_node(), f.other.lane(),
                             live.relative(moment, f.of_a, places));
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(wanted);
    const auto first = static_cast<std::ptrdiff_t>(stack.size());
    for_lanes(wanted & ~bits(gap > separation + Pack{}),
              [&](int lane) { stack.push_back({gap[lane], expansion.child(lane)}); });
    // The deepest overlap goes on top.
    std::sort(stack.begin() + first, stack.end(),
              [](const Overlap& s, const Overlap& t) { return s.gap > t.gap; });
  };
  look(Expansion<VolumeKind::box>(pair, family), lanes);
  for (int looks = 1; !stack.empty() && looks < most_looks; ++looks) {
    const NodePair nodes = stack.back().nodes;
    stack.pop_back();
    if (!are_leaves(pair, nodes)) {
      const Expansion<VolumeKind::box> expansion(pair, nodes);
      look(expansion, expansion.used());
      continue;
    }
    const Index a = element(pair.mesh_a().bvh().child(nodes.a));
    const Index b = element(pair.mesh_b().bvh().child(nodes.b));
    ++stats.elementary_tests;
    const LeafApproach leaf = approach_leaves(pair, live.at(moment, places), a, b);
    if (leaf.touches) return Touch{a, b, leaf.triangles};
  }
  return std::nullopt;
}

bool guess_contact(const Journey& journey, std::span<const Candidate> candidates, BroadPhase& broad,
                   double time, RobotContact& found) {
  if (!(time < journey.options.cutoff)) return false;
  for (const Candidate& candidate : candidates) {
    if (!broad.meet(journey.robot, journey.world, journey.places, candidate, {time, 0})) continue;
    LivePair live(journey, candidate);
    const std::optional<Touch> touch = guess_touch(live, time, journey.places, found.contact.stats);
    if (!touch) continue;
    record(found.contact, time, touch->a, touch->b, touch->triangles);
    found.contact.safe_until = 0;
    name_contact(journey, live, found);
    return true;
  }
  return false;
}

double guess_time(unsigned k) {
  double time = k == 0 ? 1 : 0;
  for (double half = 0.5; k > 0; k >>= 1, half /= 2)
    if (k & 1) time += half;
  return time;
}

}  // namespace toccata
