// Traversal at one time, deepest overlap first, with a limit of work.
#include "toccata/query/robot_first_contact/probe.hpp"

#include <bit>

#include "toccata/narrow/advancement/box_gap.hpp"
#include "toccata/walk/instant.hpp"

namespace toccata {
namespace {

/// Largest number of siblings and leaf pairs per probe: about the work for two close links.
constexpr int most_visits = 128;

/// The policy of a traversal that descends where the boxes overlap most, until two elements touch.
struct DeepestFirst {
  const MovingPair& pair;
  PairView view;
  Stats& stats;
  int visits = 0;
  std::optional<Touch> found = {};

  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) {
    const Siblings& f = expansion.siblings();
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(expansion.used());
    return {
        box_gap(expansion.node(), expansion.other_node(), f.other.lane(), view.relative(f.of_a)),
        Pack{}};
  }
  bool keeps(const InstantTask& task) const {
    return !(task.gap > static_cast<float>(pair.separation()));
  }
  bool wants(const InstantTask&) const { return true; }
  bool spend() { return ++visits < most_visits; }
  bool visit(const InstantTask&, Index a, Index b) {
    ++stats.elementary_tests;
    // The elements may intersect at this time, because nothing is proven before it.
    const LeafApproach leaf = approach_leaves(pair, view.state(), a, b, view.time());
    if (leaf.touches) found = Touch{a, b, leaf.triangles};
    return !leaf.touches;
  }
};

}  // namespace

std::optional<Touch> probe(const PairView& view, const Siblings& siblings, unsigned lanes,
                           Stats& stats) {
  DeepestFirst policy{view.pair(), view, stats};
  walk_instant(view.pair(), siblings, lanes, policy);
  return policy.found;
}

double probe_time(unsigned k) {
  double time = k == 0 ? 1 : 0;
  for (double half = 0.5; k > 0; k >>= 1, half /= 2)
    if (k & 1) time += half;
  return time;
}

}  // namespace toccata
