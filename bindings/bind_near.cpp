#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "configurations.hpp"
#include "contact_columns.hpp"
#include "read_options.hpp"
#include "toccata/query/articulated/distances.hpp"
#include "toccata/query/articulated/proximities.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/proximities.hpp"

namespace toccata {
namespace {

/// Columns in the order of `toccata.near.Proximities`.
nb::tuple columns_of(const std::vector<Proximity>& found) {
  const std::size_t n = found.size();
  std::vector<std::uint8_t> kind(n);
  std::vector<Index> body_a(n), body_b(n), vertices_a(3 * n), vertices_b(3 * n);
  std::vector<double> point_a(3 * n), point_b(3 * n), normal(3 * n), distance(n);
  const auto put = [](std::vector<double>& to, std::size_t i, const Vec3d& v) {
    to[3 * i] = v.x, to[3 * i + 1] = v.y, to[3 * i + 2] = v.z;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Proximity& p = found[i];
    kind[i] = static_cast<std::uint8_t>(p.kind);
    body_a[i] = p.body_a, body_b[i] = p.body_b;
    std::copy(p.vertices_a.begin(), p.vertices_a.end(), &vertices_a[3 * i]);
    std::copy(p.vertices_b.begin(), p.vertices_b.end(), &vertices_b[3 * i]);
    put(point_a, i, p.point_a), put(point_b, i, p.point_b), put(normal, i, p.normal);
    distance[i] = p.distance;
  }
  const auto rows = [n](auto& values) { return to_numpy(std::move(values), {n, 3}); };
  return nb::make_tuple(column(kind), rows(vertices_a), rows(vertices_b), rows(point_a),
                        rows(point_b), rows(normal), column(distance), column(body_a),
                        column(body_b));
}

template <class Ask>
nb::tuple answered(const Ask& ask) {
  std::vector<Proximity> found;
  {
    const Released released;
    found = ask();
  }
  return columns_of(found);
}

nb::tuple row_of(const Distance& d) {
  const auto point = [](const Vec3d& v) {
    return to_numpy(std::vector<double>{v.x, v.y, v.z}, {3});
  };
  return nb::make_tuple(d.lower, d.upper, d.closest.distance, point(d.closest.point_a),
                        point(d.closest.point_b), point(d.normal), d.element_a, d.element_b,
                        static_cast<int>(d.closest.feature));
}

nb::tuple columns_of(Distances&& found) {
  const std::size_t n = found.lower.size();
  const auto rows = [n](std::vector<double>& values) {
    return to_numpy(std::move(values), {n, 3});
  };
  return nb::make_tuple(column(found.lower), column(found.upper), column(found.distance),
                        rows(found.point_a), rows(found.point_b), rows(found.normal),
                        column(found.element_a), column(found.element_b), column(found.feature));
}

std::span<const Matrix4> rows_of(const Matrices& poses) {
  return {reinterpret_cast<const Matrix4*>(poses.data()), poses.shape(0)};
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
          return distance_batch(a, b, {rows_of(poses_a), rows_of(poses_b)}, threads);
        };
        return columns_of(ask());
      },
      "a"_a, "b"_a, "poses_a"_a.noconvert(), "poses_b"_a.noconvert(), "threads"_a);
}

/// Row by row, a column for each pair: bounds, distances, points and normals; then the bodies of
/// the pairs.
nb::tuple robot_distances(const Robot& robot, const World& world, const Rows& q, nb::handle limit,
                          const Untested* untested, unsigned threads) {
  const double most = checked_limit(read_number(limit, "limit"));
  const std::vector<MeasuredPair> pairs = measured_pairs(robot, world, untested);
  const std::size_t n = q.shape(0), p = pairs.size();
  Distances found(n * p);
  {
    const Released released;
    check_rows(robot, q, "Q");
    const std::vector<Distance> rows = distances(robot, world, pairs, {q.data(), n}, most, threads);
    for (std::size_t i = 0; i < rows.size(); ++i) found.set(i, rows[i]);
  }
  std::vector<Index> body_a, body_b;
  for (const MeasuredPair& pair : pairs) body_a.push_back(pair.link), body_b.push_back(pair.other);
  const auto plain = [&](auto& values) { return to_numpy(std::move(values), {n, p}); };
  const auto points = [&](auto& values) { return to_numpy(std::move(values), {n, p, 3}); };
  return nb::make_tuple(plain(found.lower), plain(found.upper), plain(found.distance),
                        points(found.point_a), points(found.point_b), points(found.normal),
                        column(body_a), column(body_b));
}

double read_distance(nb::handle value) { return checked_distance(read_number(value, "distance")); }

}  // namespace

void bind_near(nb::module_& m) {
  bind_distance(m);
  m.def(
      "proximities",
      [](const Mesh& a, const Motion& pose_a, const Mesh& b, const Motion& pose_b,
         nb::handle distance) {
        const double within = read_distance(distance);
        return answered([&] { return proximities({a, pose_a}, {b, pose_b}, within); });
      },
      "a"_a, "pose_a"_a, "b"_a, "pose_b"_a, "distance"_a.none());
  m.def(
      "scene_proximities",
      [](const Scene& scene, nb::handle distance) {
        const double within = read_distance(distance);
        return answered([&] { return proximities(scene, within); });
      },
      "scene"_a, "distance"_a.none());
  m.def("robot_distances", &robot_distances, "robot"_a, "world"_a, "q"_a.noconvert(),
        "limit"_a.none(), "untested"_a.none(), "threads"_a);
  m.def(
      "robot_proximities",
      [](const Robot& robot, const World& world, const Rows& q, nb::handle distance,
         const Untested* untested) {
        const double within = read_distance(distance);
        return answered([&] {
          check_rows(robot, q, "q");
          return proximities(robot, world, q.data(), within, untested);
        });
      },
      "robot"_a, "world"_a, "q"_a.noconvert(), "distance"_a.none(), "untested"_a.none());
}

}  // namespace toccata
