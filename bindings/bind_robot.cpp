#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "contact_columns.hpp"
#include "toccata/base/expects.hpp"
#include "toccata/motion/chain.hpp"
#include "toccata/query/articulated/clearance.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/places.hpp"

namespace toccata {
namespace {

using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Axes = nb::ndarray<const double, nb::shape<3, 3>, nb::c_contig, nb::device::cpu>;

/// `axes` by rows: two of the plane, and the axis.
Joint make_joint(Index parent, JointKind kind, const Matrix& place, const Axes& axes,
                 Index coordinate, const std::pair<double, double>& mimic) {
  const double* a = axes.data();
  return {parent, kind, read_pose(place.data(), "origin"),
          {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}},
          coordinate, mimic.first, mimic.second};
}

Robot make_robot(const std::vector<Joint>& joints, const std::vector<const Mesh*>& meshes,
                 const std::vector<Index>& carriers,
                 const std::vector<std::pair<Index, Index>>& ignored) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < meshes.size(); ++i) links.push_back({meshes[i], carriers[i]});
  return Robot(joints, std::move(links), ignored);
}

World make_world(const std::vector<const Mesh*>& meshes, const std::vector<const Motion*>& motions) {
  std::vector<Motion> copies;
  for (const Motion* motion : motions) copies.push_back(*motion);
  return World(meshes, std::move(copies));
}

void check_rows(const Robot& robot, const Rows& q, const char* argument) {
  for (std::size_t i = 0; i < q.shape(0); ++i)
    robot.check({q.data() + i * q.shape(1), q.shape(1)}, argument);
}

void set_separations(RobotOptions& options, const Separations& separations) {
  options.separations = std::make_shared<const Separations>(separations);
  options.options.separation = separations.most();
}

/// The way along rows of the coefficients of 1, t, ... t^5, with room for the end of a straight one.
Way read_way(const Robot& robot, const Rows& rows, std::vector<double>& end) {
  const std::size_t width = rows.shape(1);
  expects(rows.shape(0) == 6 && width == static_cast<std::size_t>(robot.coordinates()), "powers",
          "expected six rows of configurations");
  robot.check_way({rows.data(), rows.size()}, "spline");
  const double* powers = rows.data() + width;
  if (std::any_of(powers + width, rows.data() + rows.size(), [](double c) { return c != 0; }))
    return {rows.data(), nullptr, powers};
  for (std::size_t i = 0; i < width; ++i) end.push_back(rows.data()[i] + powers[i]);
  return {rows.data(), end.data()};
}

nb::tuple as_answer(const RobotContact& found) {
  return nb::make_tuple(found.contact, found.link_a, found.link_b, found.body, found.pairs_tested,
                        found.stages);
}

nb::tuple along(const Robot& robot, const World& world, const Rows& powers,
                const RobotOptions& options) {
  RobotContact found;
  {
    const nb::gil_scoped_release release;
    std::vector<double> end;
    found = first_contact(robot, world, read_way(robot, powers, end), options);
  }
  return as_answer(found);
}

RobotClearance clear_along(const Robot& robot, const World& world, const Rows& powers,
                           const ClearanceOptions& options) {
  const nb::gil_scoped_release release;
  std::vector<double> end;
  return clearance(robot, world, read_way(robot, powers, end), options);
}

nb::tuple one(const Robot& robot, const World& world, const Rows& q_0, const Rows& q_1,
              const RobotOptions& options, ContactMemory* memory) {
  RobotContact found;
  {
    const nb::gil_scoped_release release;
    check_rows(robot, q_0, "q0");
    check_rows(robot, q_1, "q1");
    found = first_contact(robot, world, q_0.data(), q_1.data(), options, memory);
  }
  return as_answer(found);
}

RobotClearance clear(const Robot& robot, const World& world, const Rows& q_0, const Rows& q_1,
                     const ClearanceOptions& options) {
  const nb::gil_scoped_release release;
  check_rows(robot, q_0, "q0");
  check_rows(robot, q_1, "q1");
  return clearance(robot, world, {q_0.data(), q_1.data()}, options);
}

nb::tuple many(const Robot& robot, const World& world, const Rows& q_0, const Rows& q_1,
               const RobotOptions& options, unsigned threads) {
  std::vector<RobotContact> found(q_0.shape(0));
  {
    const nb::gil_scoped_release release;
    check_rows(robot, q_0, "Q0");
    check_rows(robot, q_1, "Q1");
    first_contact_batch(robot, world, q_0.data(), q_1.data(), options, threads, found);
  }
  const auto contact = [](const RobotContact& c) -> const Contact& { return c.contact; };
  return nb::make_tuple(contact_columns(found, contact),
                        column(found, [](const RobotContact& c) { return c.link_a; }),
                        column(found, [](const RobotContact& c) { return c.link_b; }),
                        column(found, [](const RobotContact& c) { return c.body; }));
}

/// (n, joints, 4, 4): the frames of all joints, as the world sees them.
nb::ndarray<nb::numpy, double> frames(const Robot& robot, const Rows& q) {
  const std::size_t count = robot.joints().size();
  std::vector<double> matrices(16 * q.shape(0) * count);
  check_rows(robot, q, "q");
  Places places;
  for (std::size_t i = 0; i < q.shape(0); ++i) {
    const double* row = q.data() + i * q.shape(1);
    places.start(robot, row, row);
    for (std::size_t j = 0; j < count; ++j)
      write_pose(places.at(robot.world_frame(static_cast<Index>(j)), 0, 0).pose,
                 &matrices[16 * (i * count + j)]);
  }
  return to_numpy(std::move(matrices), {q.shape(0), count, 4, 4});
}

/// The motion of a joint's frame between two configurations.
Motion motion(const Robot& robot, Index joint, const Rows& q_0, const Rows& q_1) {
  check_rows(robot, q_0, "q0");
  check_rows(robot, q_1, "q1");
  std::vector<Twist> joints;
  for (const Index i : robot.path(robot.world_frame(joint)))
    joints.push_back(joint_motion(robot.joints()[i], q_0.data(), q_1.data()));
  return Motion(Chain::make(std::move(joints), {0, 0, 0}));
}

nb::tuple as_tuple(const Vec3d& v) { return nb::make_tuple(v.x, v.y, v.z); }

void bind_clearance(nb::module_& m) {
  nb::class_<ClearanceOptions>(m, "ClearanceOptions")
      .def(nb::init<>())
      .def_rw("self_contact", &ClearanceOptions::self_contact)
      .def_rw("tolerance", &ClearanceOptions::tolerance)
      .def_rw("limit", &ClearanceOptions::limit)
      .def_rw("budget", &ClearanceOptions::budget);
  nb::class_<RobotClearance>(m, "RobotClearance")
      .def_ro("lower", &RobotClearance::lower)
      .def_ro("upper", &RobotClearance::upper)
      .def_ro("tolerance", &RobotClearance::tolerance)
      .def_ro("time", &RobotClearance::time)
      .def_ro("link_a", &RobotClearance::link_a)
      .def_ro("link_b", &RobotClearance::link_b)
      .def_ro("body", &RobotClearance::body)
      .def_prop_ro("point_a", [](const RobotClearance& c) { return as_tuple(c.closest.point_a); })
      .def_prop_ro("point_b", [](const RobotClearance& c) { return as_tuple(c.closest.point_b); })
      .def_prop_ro("distance", [](const RobotClearance& c) { return c.closest.distance; })
      .def_ro("pairs_tested", &RobotClearance::pairs_tested)
      .def_ro("stats", &RobotClearance::stats);
  m.def("robot_clearance_along", &clear_along, "robot"_a, "world"_a, "powers"_a.noconvert(),
        "options"_a);
  m.def("robot_clearance", &clear, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a);
}

}  // namespace

void bind_robot(nb::module_& m) {
  bind_clearance(m);
  nb::enum_<JointKind>(m, "JointKind")
      .value("revolute", JointKind::revolute)
      .value("prismatic", JointKind::prismatic)
      .value("planar", JointKind::planar)
      .value("floating", JointKind::floating);
  nb::class_<Joint>(m, "Joint");
  m.def("make_joint", &make_joint, "parent"_a, "kind"_a, "place"_a.noconvert(),
        "axes"_a.noconvert(), "coordinate"_a, "mimic"_a);
  nb::class_<World>(m, "World");
  // Worlds and robots point to their meshes: the list keeps them alive.
  m.def("make_world", &make_world, "meshes"_a, "motions"_a, nb::keep_alive<0, 1>());
  nb::class_<Robot>(m, "Robot").def_prop_ro("pairs", [](const Robot& robot) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const LinkPair& pair : robot.pairs()) pairs.emplace_back(pair.a, pair.b);
    return pairs;
  });
  m.def("make_robot", &make_robot, "joints"_a, "meshes"_a, "carriers"_a, "ignored"_a,
        nb::keep_alive<0, 2>());
  nb::class_<StageStats>(m, "StageStats")
      .def_ro("pairs_after_hierarchy", &StageStats::pairs_after_hierarchy)
      .def_ro("pairs_after_culling", &StageStats::pairs_after_culling)
      .def_ro("seconds_hierarchy", &StageStats::seconds_hierarchy)
      .def_ro("seconds_culling", &StageStats::seconds_culling)
      .def_ro("seconds_exact", &StageStats::seconds_exact);
  nb::class_<Separations>(m, "Separations")
      .def(nb::init<Index, Index, double>(), "links"_a, "bodies"_a, "rest"_a)
      .def("set_links", &Separations::set_links, "a"_a, "b"_a, "distance"_a)
      .def("set_body", &Separations::set_body, "link"_a, "body"_a, "distance"_a);
  nb::class_<RobotOptions>(m, "RobotOptions")
      .def(nb::init<>())
      .def_rw("self_contact", &RobotOptions::self_contact)
      .def_rw("any", &RobotOptions::any)
      .def_rw("hierarchy", &RobotOptions::hierarchy)
      .def_rw("swept", &RobotOptions::swept)
      .def_rw("temporal", &RobotOptions::temporal)
      .def_rw("options", &RobotOptions::options)
      .def("set_separations", &set_separations, "separations"_a);
  m.def("robot_frames", &frames, "robot"_a, "q"_a.noconvert());
  m.def("robot_motion", &motion, "robot"_a, "joint"_a, "q_0"_a.noconvert(), "q_1"_a.noconvert());
  nb::class_<ContactMemory>(m, "ContactMemory").def(nb::init<>());
  m.def("robot_first_contact", &one, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a, "memory"_a = nb::none());
  m.def("robot_first_contact_along", &along, "robot"_a, "world"_a, "powers"_a.noconvert(),
        "options"_a);
  m.def("robot_first_contact_batch", &many, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a, "threads"_a);
}

}  // namespace toccata
