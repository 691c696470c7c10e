// The packed bounds hold: gaps are below distances, and nothing meets before its step is over.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"

using namespace toccata;

namespace {

std::vector<Index> triangles_below(const Bvh& bvh, NodeRef ref) {
  const Index child = bvh.child(ref);
  if (is_leaf(child)) return {element(child)};
  std::vector<Index> all;
  for_lanes(bvh.nodes[child].used, [&](int lane) {
    const auto more = triangles_below(bvh, {child, lane});
    all.insert(all.end(), more.begin(), more.end());
  });
  return all;
}

double distance_at(const MovingPair& pair, const NodePair& nodes, const PairState& state) {
  double least = 1e300;
  for (const Index i : triangles_below(pair.mesh_a().bvh(), nodes.a))
    for (const Index j : triangles_below(pair.mesh_b().bvh(), nodes.b))
      least = std::min(least, closest_points(state.a.motion.pose * pair.mesh_a().triangle(i),
                                             state.b.motion.pose * pair.mesh_b().triangle(j))
                                  .distance);
  return least;
}

struct Tally {
  int separated = 0, all = 0;
};

/// Bounds at `now` hold for the pairs of children.
template <VolumeKind kind>
void check_children(testing::Random& random, const MovingPair& pair,
                    const Expansion<kind>& expansion, const Approach& bounds, double now,
                    unsigned children, Tally& tally) {
  const PairState state = pair.state(now, 1);
  for_lanes(children, [&](int lane) {
    const NodePair child = expansion.child(lane);
    ++tally.all;
    CHECK(bounds.gap[lane] <= distance_at(pair, child, state));
    if (!(bounds.step[lane] > 0)) return;
    ++tally.separated;
    for (int k = 0; k < 3; ++k) {
      // Bounds that are slightly wrong fail at the end.
      const double share = k == 0 ? 1 - 1e-9 : random.uniform(0, 1);
      const double t = now + share * bounds.step[lane];
      if (t > 1) continue;
      CHECK(distance_at(pair, child, pair.state(t, 1)) > pair.separation() * (1 - 1e-12));
    }
  });
}

template <VolumeKind kind>
void check_bounds(testing::Random& random, Tally& tally, Tally& triangles) {
  const double scale = std::exp(random.uniform(-6, 6));
  const Mesh a = random.soup(20, scale), b = random.soup(20, scale);
  const Motion motion_a = random.motion(1.2 * scale), motion_b = random.motion(1.2 * scale);
  Options options;
  options.separation = random.below(2) ? 0.1 * scale : 0;
  const MovingPair pair({a, motion_a}, {b, motion_b}, options);
  NodePair nodes = root_pair();
  while (!are_leaves(pair, nodes)) {
    const Expansion<kind> expansion(pair, nodes);
    const double now = random.uniform(0, 1);
    const PairState state = pair.state(now, 1);
    Approach bounds = expansion.bounds(state);
    check_children(random, pair, expansion, bounds, now, expansion.used(), tally);
    // The tight bounds are neither too long nor shorter than the bounds before.
    const Pack step = bounds.step;
    bounds.step = expansion.tighten(state, 1 - now, expansion.used(), step);
    CHECK(bits(bounds.step < step) == 0);
    check_children(random, pair, expansion, bounds, now, expansion.used(), tally);
    if (const unsigned leaves = expansion.triangles()) {
      const RelativeState seen = pair.relative(state, expansion.siblings().of_a);
      const Approach closer = expansion.triangle_bounds(seen, leaves);
      check_children(random, pair, expansion, closer, now, leaves, triangles);
      // Triangles that are well apart are told apart, at their distance.
      for_lanes(leaves, [&](int lane) {
        const double distance = distance_at(pair, expansion.child(lane), state);
        CHECK(distance == 0 || closer.gap[lane] > distance * (1 - 1e-3) - 1e-3 * scale);
      });
    }
    nodes = expansion.child(random.below(std::popcount(expansion.used())));
  }
  // The last pair are two triangles: the same in double precision.
  const Index i = element(a.bvh().child(nodes.a)), j = element(b.bvh().child(nodes.b));
  const double now = random.uniform(0, 1);
  const LeafApproach leaf = approach_leaves(pair, pair.state(now, 1), i, j);
  CHECK(leaf.triangles.gap <= leaf.triangles.closest.distance + pair.error());
  for (int k = 0; k < 5; ++k) {
    const double share = k == 0 ? 1 - 1e-9 : random.uniform(0, 1);
    const double t = now + share * leaf.triangles.step;
    if (t > 1 || !(leaf.triangles.step > 0)) continue;
    CHECK(distance_at(pair, nodes, pair.state(t, 1)) > options.separation * (1 - 1e-12));
  }
}

/// Two edges that cross at a small distance, parallel up to 2^-30, of triangles that lead away from
/// there. Only the cross product of the edges tells them apart, and only if all of its digits are
/// right: in double precision it leaves no gap.
void check_nearly_parallel_edges(testing::Random& random) {
  const double turn = 0x1p-30, apart = 0x1p-34;
  const MotionState still{random.pose(0)};
  const Triangle a{{Vec3d{-1, 0, 0}, {1, 0, 0}, {random.uniform(-1, 1), 0.5, -1}}};
  const Triangle b{{Vec3d{-1, -turn, apart}, {1, turn, apart}, {random.uniform(-1, 1), 0.5, 1}}};
  const TriangleApproach found = approach({a, still}, {b, still}, 0, 0, 0);
  CHECK(found.gap <= apart + 0x1p-50);
  // Turned corners are rounded by 2^-52 or so, and across the edges this counts fully.
  CHECK(found.gap >= found.closest.distance - 0x1p-50);
  CHECK(found.closest.distance < apart + 0x1p-50);
}

}  // namespace

int main() {
  testing::Random random(9);
  Tally tally, triangles;
  for (int i = 0; i < 150; ++i) {
    check_bounds<VolumeKind::box>(random, tally, triangles);
    check_bounds<VolumeKind::swept>(random, tally, triangles);
  }
  for (int i = 0; i < 200; ++i) check_nearly_parallel_edges(random);
  // The sample must show both separated and overlapping volumes.
  std::printf("%d of %d separated\n", tally.separated, tally.all);
  CHECK(tally.separated > 0.3 * tally.all && tally.separated < 0.9 * tally.all);
  std::printf("%d of %d triangles separated\n", triangles.separated, triangles.all);
  CHECK(triangles.all > 300 && triangles.separated > 0.5 * triangles.all);
  CHECK(triangles.separated < triangles.all);
}
