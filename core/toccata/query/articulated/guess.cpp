#include "toccata/query/articulated/guess.hpp"

#include <bit>

#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/query/articulated/outcome.hpp"
#include "toccata/walk/moment.hpp"

namespace toccata {
namespace {

/// Families and leaves looked at: about what two links that are near each other take.
constexpr int most_looks = 128;

/// Goes where the boxes overlap most, until two elements touch.
struct DeepestFirst {
  LivePair& live;
  Span moment;
  Places& places;
  Stats& stats;
  int looks = 0;
  std::optional<Touch> found = {};

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) {
    const Family& f = expansion.family();
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(expansion.used());
    return {box_gap(expansion.node(), expansion.other_node(), f.other.lane(),
                    live.relative(moment, f.of_a, places)),
            Pack{}};
  }
  bool keeps(const MomentTask& task) const {
    return !(task.gap > static_cast<float>(live.pair().separation()));
  }
  bool wants(const MomentTask&) const { return true; }
  bool spend() { return ++looks < most_looks; }
  bool visit(const MomentTask&, Index a, Index b) {
    ++stats.elementary_tests;
    const LeafApproach leaf = approach_leaves(live.pair(), live.at(moment, places), a, b);
    if (leaf.touches) found = Touch{a, b, leaf.triangles};
    return !leaf.touches;
  }
};

}  // namespace

std::optional<Touch> guess_touch(LivePair& live, const Family& family, unsigned lanes, double time,
                                 Places& places, Stats& stats) {
  DeepestFirst policy{live, {time, time}, places, stats};
  walk_moment(live.pair(), family, lanes, policy);
  return policy.found;
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
