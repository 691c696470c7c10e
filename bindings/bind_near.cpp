#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "configurations.hpp"
#include "contact_columns.hpp"
#include "proximity_columns.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/proximities.hpp"

namespace toccata {
namespace {

nb::tuple row_of(const Distance& d) {
  const auto point = [](const Vec3d& v) {
    return to_numpy(std::vector<double>{v.x, v.y, v.z}, {3});
  };
  return nb::make_tuple(d.lower, d.upper, d.closest.distance, point(d.closest.point_a),
                        point(d.closest.point_b), point(d.normal), d.element_a, d.element_b,
                        static_cast<int>(d.closest.feature));
}

void bind_distance(nb::module_& m) {
  m.def(
      "distance",
      [](const Mesh& a, const Motion& pose_a, const Mesh& b, const Motion& pose_b) {
        Distance found;
        {
          const Released released;
          found = distance({a, pose_a}, {b, pose_b});
        }
        return row_of(found);
      },
      "a"_a, "pose_a"_a, "b"_a, "pose_b"_a);
  m.def(
      "distance_batch",
      [](const Mesh& a, const Mesh& b, const Matrices& poses_a, const Matrices& poses_b,
         unsigned threads) {
        const auto ask = [&] {
          const Released released;
          return distance_batch(a, b, {view(poses_a), view(poses_b)}, threads);
        };
        return distance_columns(ask());
      },
      "a"_a, "b"_a, "poses_a"_a.noconvert(), "poses_b"_a.noconvert(), "threads"_a);
}

/// Returns (n, pairs) bounds, distances, points and normals, then the two bodies of each pair.
/// `measure` returns the distances row by row.
template <class Measure>
nb::tuple distance_rows(const Robot& robot, const BodySet& world, const IgnoredPairs* ignored,
                        std::size_t n, const Measure& measure) {
  const std::vector<Candidate> pairs = measured_pairs(robot, world, ignored);
  const std::size_t p = pairs.size();
  Distances found(n * p);
  {
    const Released released;
    const std::vector<Distance> rows = measure(pairs);
    for (std::size_t i = 0; i < rows.size(); ++i) found.set(i, rows[i]);
  }
  std::vector<Index> body_a, body_b;
  const auto links = static_cast<Index>(robot.links().size());
  for (const Candidate& pair : pairs) {
    body_a.push_back(pair.a);
    body_b.push_back(pair.links < 0 ? links + pair.b : pair.b);
  }
  const auto plain = [&](auto& values) { return to_numpy(std::move(values), {n, p}); };
  const auto points = [&](auto& values) { return to_numpy(std::move(values), {n, p, 3}); };
  return nb::make_tuple(plain(found.lower), plain(found.upper), plain(found.distance),
                        points(found.point_a), points(found.point_b), points(found.normal),
                        column(body_a), column(body_b));
}

nb::tuple robot_distances(const Robot& robot, const BodySet& world, const Rows& q, nb::handle limit,
                          const IgnoredPairs* ignored, unsigned threads) {
  const double most = checked_limit(read_number(limit, "limit"));
  const std::size_t n = q.shape(0);
  return distance_rows(robot, world, ignored, n, [&](const std::vector<Candidate>& pairs) {
    check_rows(robot, q, "Q");
    return distances(robot, world, pairs, {q.data(), n}, most, threads);
  });
}

/// Measures at `times` of a whole path.
nb::tuple distances_on_path(const Robot& robot, const BodySet& world, const Rows& rows,
                            const Clocks& clocks, bool curved, const Times& times, nb::handle limit,
                            const IgnoredPairs* ignored, unsigned threads) {
  const double most = checked_limit(read_number(limit, "limit"));
  const std::span<const double> at(times.data(), times.size());
  return distance_rows(robot, world, ignored, at.size(), [&](const std::vector<Candidate>& pairs) {
    const Path path = path_of(rows, clocks, curved, {0, static_cast<Index>(clocks.shape(1)) - 1});
    check(robot, path, rows.size());
    return distances(robot, world, path, pairs, at, most, threads);
  });
}

}  // namespace

void bind_near(nb::module_& m) {
  bind_distance(m);
  m.def(
      "proximities",
      [](const Mesh& a, const Motion& pose_a, const Mesh& b, const Motion& pose_b,
         nb::handle distance) {
        const double within = read_distance(distance);
        return answered([&] { return proximities(TwoBodies{{a, pose_a}, {b, pose_b}}, within); });
      },
      "a"_a, "pose_a"_a, "b"_a, "pose_b"_a, "distance"_a.none());
  m.def("robot_distances", &robot_distances, "robot"_a, "world"_a, "q"_a.noconvert(),
        "limit"_a.none(), "ignored"_a.none(), "threads"_a);
  m.def("robot_distances_path", &distances_on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "times"_a.noconvert(), "limit"_a.none(),
        "ignored"_a.none(), "threads"_a);
  m.def(
      "robot_proximities",
      [](const Robot& robot, const BodySet& world, const Rows& q, nb::handle distance,
         const IgnoredPairs* ignored) {
        const double within = read_distance(distance);
        return answered([&] {
          check_rows(robot, q, "q");
          return proximities(robot, world, q.data(), within, ignored);
        });
      },
      "robot"_a, "world"_a, "q"_a.noconvert(), "distance"_a.none(), "ignored"_a.none());
}

}  // namespace toccata
