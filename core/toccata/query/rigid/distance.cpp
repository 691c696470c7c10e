#include "toccata/query/rigid/distance.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/check_triangles.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

Distance ask(const Body& a, const Body& b, double limit) {
  const MovingPair pair(a, b, {});
  return least_distance(pair, pair.state(0, 0), limit);
}

void put(std::vector<double>& column, std::size_t row, const Vec3d& v) {
  column[3 * row] = v.x, column[3 * row + 1] = v.y, column[3 * row + 2] = v.z;
}

}  // namespace

Distance distance(const Body& a, const Body& b, double limit) {
  check_triangles(a.mesh, "a");
  check_triangles(b.mesh, "b");
  const int exponent = scaling_of(std::array{a, b});
  if (exponent == 0) [[likely]]
    return ask(a, b, limit);
  return scaled_back(
      ask(ScaledBody(a, exponent), ScaledBody(b, exponent), scaled_distance(limit, exponent)),
      exponent);
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
  put(point_a, row, found.closest.point_a);
  put(point_b, row, found.closest.point_b);
  put(normal, row, found.normal);
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

SceneDistances distances(const Scene& scene, double limit, unsigned threads) {
  const World& world = scene.world();
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i)
    check_triangles(world.body(i).mesh, "scene");
  struct Row {
    BodyIndices bodies;
    Distance found;
  };
  std::vector<Row> rows;
  for (const BodyIndices& bodies : scene.near_at_start(limit)) rows.push_back({bodies, {}});
  const auto still = [&](Index i) { return Motion::fixed(world.body(i).motion.pose(0)); };
  parallel_for(rows.size(), 4, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto [i, j] = rows[k].bodies;
      const Motion at_i = still(i), at_j = still(j);
      rows[k].found = distance({world.body(i).mesh, at_i}, {world.body(j).mesh, at_j}, limit);
    }
  });
  std::erase_if(rows, [](const Row& row) { return row.found.upper == infinity; });
  SceneDistances result{Distances(rows.size()), {}, {}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    result.distances.set(k, rows[k].found);
    result.body_a.push_back(rows[k].bodies.first);
    result.body_b.push_back(rows[k].bodies.second);
  }
  return result;
}

}  // namespace toccata
