// Distances for all settings, and their distribution over threads.
#include "toccata/query/distances.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/base/of_thread.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// Returns whether the balls around both bodies are farther apart than the limit, in spite of
/// rounding.
bool are_beyond(const MovingPair& pair, const PairState& state, double limit) {
  const double radii = pair.mesh_a().radius() + pair.mesh_b().radius();
  return norm(state.a.center - state.b.center) - radii - 2 * pair.error() > limit;
}

/// Measures one pair of a setting at a time.
template <Setting S>
Distance measure(S& setting, const Candidate& candidate, double time, double limit) {
  typename S::Bodies bodies(setting, candidate);
  const PairState& state = bodies.at({time, time});
  if (are_beyond(bodies.pair(), state, limit)) return beyond_limit(limit);
  Distance found = least_distance(bodies.pair(), state, limit);
  const std::optional<Pose> frame = setting.frame_of(candidate, time);
  if (!frame || found.upper == infinity) return found;
  found.closest.point_a = *frame * found.closest.point_a;
  found.closest.point_b = *frame * found.closest.point_b;
  found.normal = frame->rotation * found.normal;
  return found;
}

/// Returns the pairs of a scene whose boxes are less than `limit` apart at t = 0.
std::vector<Candidate> pairs_within(const ManyBodies& scene, double limit) {
  ManyBodies near{scene.world, scene.broad, {}};
  near.query.options.separation = limit;
  return in_ordinary_lengths(near,
                             [](const ManyBodies& bodies, int) { return bodies.candidates_at(0); });
}

}  // namespace

Distance distance(const Body& a, const Body& b, double limit) {
  check_triangles(a.mesh, "a");
  check_triangles(b.mesh, "b");
  return in_ordinary_lengths(TwoBodies{a, b}, [&](const TwoBodies& two, int exponent) {
    const MovingPair pair(two.a, two.b, {});
    // An infinite limit stays infinite.
    const double own = exponent == 0 ? limit : scaled_distance(limit, exponent);
    return least_distance(pair, pair.state(0, 0), own);
  });
}

Distances::Distances(std::size_t n)
    : lower(n),
      upper(n),
      distance(n),
      point_a(3 * n),
      point_b(3 * n),
      normal(3 * n),
      element_a(n),
      element_b(n),
      feature(n) {}

void Distances::set(std::size_t row, const Distance& found) {
  lower[row] = found.lower;
  upper[row] = found.upper;
  distance[row] = found.closest.distance;
  set_row(point_a, row, found.closest.point_a);
  set_row(point_b, row, found.closest.point_b);
  set_row(normal, row, found.normal);
  element_a[row] = found.element_a;
  element_b[row] = found.element_b;
  feature[row] = static_cast<std::uint8_t>(found.closest.feature);
}

Distances distance_batch(const Mesh& a, const Mesh& b, const PoseRows& poses, unsigned threads) {
  expects(poses.b.empty() || poses.b.size() == poses.a.size(), "poses_b",
          "expected as many poses as poses_a");
  check_poses(poses.a, "poses_a");
  check_poses(poses.b, "poses_b");
  Distances found(poses.a.size());
  const auto still = [](const Matrix4& pose) { return Motion::fixed(pose_of(pose.data())); };
  const Motion fixed = Motion::fixed({});
  parallel_for(poses.a.size(), 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      found.set(i,
                distance({a, still(poses.a[i])}, {b, poses.b.empty() ? fixed : still(poses.b[i])}));
  });
  return found;
}

SceneDistances distances(const ManyBodies& scene, double limit, unsigned threads) {
  const BodySet& world = scene.world;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    check_triangles(world.body(i).mesh, "scene");
  struct Row {
    Candidate pair;
    Distance found;
  };
  std::vector<Row> rows;
  for (const Candidate& pair : pairs_within(scene, limit)) rows.push_back({pair, {}});
  const auto still = [&](Index i) { return Motion::fixed(world.body(i).motion.pose(0)); };
  parallel_for(rows.size(), 4, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto [i, j] = std::pair(rows[k].pair.a, rows[k].pair.b);
      const Motion at_i = still(i), at_j = still(j);
      rows[k].found = distance({world.body(i).mesh, at_i}, {world.body(j).mesh, at_j}, limit);
    }
  });
  std::erase_if(rows, [](const Row& row) { return row.found.upper == infinity; });
  SceneDistances result{Distances(rows.size()), {}, {}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    result.distances.set(k, rows[k].found);
    result.body_a.push_back(rows[k].pair.a);
    result.body_b.push_back(rows[k].pair.b);
  }
  return result;
}

std::vector<Candidate> measured_pairs(const Robot& robot, const BodySet& world,
                                      const IgnoredPairs* ignored) {
  std::vector<Candidate> pairs;
  for (std::size_t p = 0; p < robot.pairs().size(); ++p)
    pairs.push_back({0, robot.pairs()[p].a, robot.pairs()[p].b, static_cast<Index>(p)});
  for (Index link = 0; link < static_cast<Index>(robot.links().size()); ++link)
    for (Index body = 0; body < static_cast<Index>(world.size()); ++body)
      if (is_tested(ignored, link, body)) pairs.push_back({0, link, body});
  return pairs;
}

std::vector<Distance> distances(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                                double time, std::span<const Candidate> pairs, double limit) {
  return in_ordinary_lengths(robot, world, motion, {}, [&](RobotInWorld& setting, int exponent) {
    // An infinite limit stays infinite.
    const double most = exponent == 0 ? limit : scaled(limit, exponent);
    std::vector<Distance> found;
    for (const Candidate& pair : pairs) found.push_back(measure(setting, pair, time, most));
    return found;
  });
}

void check_triangles(const Robot& robot, const BodySet& world) {
  for (const Link& link : robot.links()) check_triangles(*link.mesh, "robot");
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    check_triangles(world.body(i).mesh, "world");
}

std::vector<Distance> distances(const Robot& robot, const BodySet& world,
                                std::span<const Candidate> pairs, const Configurations& q,
                                double limit, unsigned threads) {
  check_triangles(robot, world);
  if (const int exponent = scaling_of(robot, world)) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);  // once for all rows
    return scaled_back(
        distances(copy.robot(), copy.world(), pairs, q, scaled(limit, exponent), threads), {},
        exponent);
  }
  std::vector<Distance> found(q.count * pairs.size());
  const std::size_t width = robot.coordinates();
  parallel_for(q.count, 1, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    LinkPoses& poses = of_thread<LinkPoses>();
    const Options plain;
    RobotInWorld setting(robot, world, poses, of_thread<BroadPhase>(), plain);
    for (std::size_t i = begin; i < end; ++i) {
      poses.start(robot, q.rows + i * width, q.rows + i * width);
      for (std::size_t k = 0; k < pairs.size(); ++k)
        found[i * pairs.size() + k] = measure(setting, pairs[k], 0, limit);
    }
  });
  return found;
}

}  // namespace toccata
