#include "toccata/query/articulated/probe.hpp"

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
  RobotPair& bodies;
  Span moment;
  LinkPoses& poses;
  Stats& stats;
  int looks = 0;
  std::optional<Touch> found = {};

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) {
    const Family& f = expansion.family();
    ++stats.ca_iterations;
    stats.bv_tests += std::popcount(expansion.used());
    return {box_gap(expansion.node(), expansion.other_node(), f.other.lane(),
                    bodies.relative(moment, f.of_a, poses)),
            Pack{}};
  }
  bool keeps(const MomentTask& task) const {
    return !(task.gap > static_cast<float>(bodies.pair().separation()));
  }
  bool wants(const MomentTask&) const { return true; }
  bool spend() { return ++looks < most_looks; }
  bool visit(const MomentTask&, Index a, Index b) {
    ++stats.elementary_tests;
    const LeafApproach leaf = approach_leaves(bodies.pair(), bodies.at(moment, poses), a, b);
    if (leaf.touches) found = Touch{a, b, leaf.triangles};
    return !leaf.touches;
  }
};

}  // namespace

std::optional<Touch> probe_touch(RobotPair& bodies, const Family& family, unsigned lanes,
                                 double time, LinkPoses& poses, Stats& stats) {
  DeepestFirst policy{bodies, {time, time}, poses, stats};
  walk_moment(bodies.pair(), family, lanes, policy);
  return policy.found;
}

bool probe_contact(const RobotQuery& query, std::span<const Candidate> candidates,
                   BroadPhase& broad, double time, RobotContact& found) {
  if (!(time < query.options.cutoff)) return false;
  for (const Candidate& candidate : candidates) {
    if (!broad.meet(query.robot, query.world, query.poses, candidate, {time, 0})) continue;
    RobotPair bodies(query, candidate);
    const std::optional<Touch> touch = probe_touch(bodies, time, query.poses, found.contact.stats);
    if (!touch) continue;
    record(found.contact, time, touch->a, touch->b, touch->triangles);
    found.contact.safe_until = 0;
    name_contact(query, bodies, found);
    return true;
  }
  return false;
}

double probe_time(unsigned k) {
  double time = k == 0 ? 1 : 0;
  for (double half = 0.5; k > 0; k >>= 1, half /= 2)
    if (k & 1) time += half;
  return time;
}

}  // namespace toccata
