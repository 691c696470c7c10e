// Distribution of many clearances over threads.
#include "toccata/query/clearance/batch.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// Returns the clearance of two bodies, as a scene of their own.
SceneClearance clearance_of(const Body& a, const Body& b, const ClearanceQuery& query) {
  const BodySet world({&a.mesh, &b.mesh}, {a.motion, b.motion});
  const SceneBroadPhase broad(world, {});
  return clearance(ManyBodies{world, broad, {}}, query);
}

/// Calls `answer(row)` for all rows, on several threads.
template <class Answer>
void for_rows(std::size_t count, unsigned threads, const Answer& answer) {
  parallel_for(count, 1, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) answer(i);
  });
}

/// Returns the pairs of a scene that may come nearer than `limit`, in the order of their bodies.
std::vector<Candidate> pairs_below(const ManyBodies& scene, double limit) {
  ManyBodies reach{scene.world, scene.broad, {}};
  reach.query.options.separation = limit;
  return in_ordinary_lengths(
      reach, [](const ManyBodies& bodies, int) { return bodies.reachable_pairs(); });
}

}  // namespace

Clearances::Clearances(std::size_t n)
    : lower(n),
      upper(n),
      tolerance(n),
      time(n),
      distance(n),
      point_a(3 * n),
      point_b(3 * n),
      body_a(n),
      body_b(n) {}

void Clearances::set(std::size_t row, const Clearance& found, Index a, Index b) {
  lower[row] = found.lower;
  upper[row] = found.upper;
  tolerance[row] = found.tolerance;
  time[row] = found.time;
  distance[row] = found.closest.distance;
  set_row(point_a, row, found.closest.point_a);
  set_row(point_b, row, found.closest.point_b);
  body_a[row] = a;
  body_b[row] = b;
}

Clearances clearance_batch(const Mesh& a, const Mesh& b, const PairMotions& motions,
                           const ClearanceQuery& query, unsigned threads) {
  motions.check();
  Clearances rows(motions.size());
  for_rows(rows.size(), threads, [&](std::size_t i) {
    const SceneClearance found = clearance_of({a, motions.a[i]}, {b, motions.of_b(i)}, query);
    rows.set(i, found, found.body_a, found.body_b);
  });
  return rows;
}

Clearances clearance_batch(const Robot& robot, const BodySet& world, const RobotMotions& motions,
                           const ClearanceOptions& options, unsigned threads) {
  const auto links = static_cast<Index>(robot.links().size());
  const std::size_t width = robot.coordinates();
  Clearances rows(motions.count);
  for_rows(rows.size(), threads, [&](std::size_t i) {
    const RobotMotion motion{motions.start + i * width, motions.end + i * width};
    const RobotClearance found = clearance(robot, world, motion, options);
    rows.set(i, found, found.link_a, found.body < 0 ? found.link_b : links + found.body);
  });
  return rows;
}

Clearances clearances(const ManyBodies& scene, const ClearanceQuery& query, unsigned threads) {
  const std::vector<Candidate> pairs = pairs_below(scene, query.limit);
  std::vector<SceneClearance> found(pairs.size());
  for_rows(pairs.size(), threads, [&](std::size_t i) {
    found[i] = clearance_of(scene.world.body(pairs[i].a), scene.world.body(pairs[i].b), query);
  });
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (found[i].body_a >= 0) near.push_back(i);
  Clearances rows(near.size());
  for (std::size_t row = 0; row < near.size(); ++row)
    rows.set(row, found[near[row]], pairs[near[row]].a, pairs[near[row]].b);
  return rows;
}

}  // namespace toccata
