#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "configurations.hpp"
#include "contact_columns.hpp"
#include "proximity_columns.hpp"
#include "toccata/query/articulated/proximities.hpp"
#include "toccata/query/rigid/distance.hpp"
#include "toccata/query/rigid/proximities.hpp"

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

nb::tuple columns_of(Distances&& found) {
  const std::size_t n = found.lower.size();
  const auto rows = [n](std::vector<double>& values) {
    return to_numpy(std::move(values), {n, 3});
  };
  return nb::make_tuple(column(found.lower), column(found.upper), column(found.distance),
                        rows(found.point_a), rows(found.point_b), rows(found.normal),
                        column(found.element_a), column(found.element_b), column(found.feature));
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
        return columns_of(ask());
      },
      "a"_a, "b"_a, "poses_a"_a.noconvert(), "poses_b"_a.noconvert(), "threads"_a);
}

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
