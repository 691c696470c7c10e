#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "configurations.hpp"
#include "toccata/math/pose.hpp"
#include "toccata/query/robot_first_contact/prepare_options.hpp"
#include "toccata/robot/poses/link_poses.hpp"

namespace toccata {
namespace {

/// Builds a joint. The first two rows of `axes` span the plane of a planar joint; the third is the
/// joint axis.
Joint make_joint(Index parent, JointKind kind, const Matrix& place, const Square& axes,
                 Index coordinate, const std::pair<double, double>& mimic) {
  const double* a = axes.data();
  return {parent,
          kind,
          read_pose(place.data(), "origin"),
          {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}},
          coordinate,
          mimic.first,
          mimic.second};
}

Robot make_robot(const std::vector<Joint>& joints, const std::vector<const Mesh*>& meshes,
                 const std::vector<Index>& carriers, const std::vector<Index>& bases,
                 const std::vector<std::pair<Index, Index>>& ignored) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    links.push_back({meshes[i], carriers[i], bases[i]});
  return Robot(joints, std::move(links), ignored);
}

Robot ignore_pairs(const Robot& robot, const std::vector<const Mesh*>&,
                   const std::vector<std::pair<Index, Index>>& ignored) {
  return robot.ignoring(ignored);
}

/// Returns the poses of all joint frames in world coordinates, (n, joints, 4, 4), for n
/// configurations.
nb::ndarray<nb::numpy, double> robot_frames(const Robot& robot, const Rows& q) {
  const std::size_t count = robot.joints().size();
  std::vector<double> matrices(16 * q.shape(0) * count);
  check_rows(robot, q, "q");
  double* to = matrices.data();
  for (std::size_t i = 0; i < q.shape(0); ++i)
    for (const Pose& frame : joint_frames(robot, q.data() + i * q.shape(1))) {
      write_pose(frame, to);
      to += 16;
    }
  return to_numpy(std::move(matrices), {q.shape(0), count, 4, 4});
}

Motion motion(const Robot& robot, Index joint, const Matrix& place, const Rows& q_0,
              const Rows& q_1) {
  check_rows(robot, q_0, "q0");
  check_rows(robot, q_1, "q1");
  return frame_motion(robot, joint, read_pose(place.data(), "place"), q_0.data(), q_1.data());
}

}  // namespace

void bind_robot(nb::module_& m) {
  nb::enum_<JointKind>(m, "JointKind")
      .value("revolute", JointKind::revolute)
      .value("prismatic", JointKind::prismatic)
      .value("planar", JointKind::planar)
      .value("floating", JointKind::floating);
  nb::class_<Joint>(m, "Joint");
  m.def("make_joint", &make_joint, "parent"_a, "kind"_a, "place"_a.noconvert(),
        "axes"_a.noconvert(), "coordinate"_a, "mimic"_a);
  nb::class_<Robot>(m, "Robot")
      .def_prop_ro("pair_count", [](const Robot& robot) { return robot.pairs().size(); })
      .def(
          "tests",
          [](const Robot& robot, Index a, Index b) {
            return a != b && robot.pair(std::min(a, b), std::max(a, b)) >= 0;
          },
          "a"_a, "b"_a);
  m.def("make_robot", &make_robot, "joints"_a, "meshes"_a, "carriers"_a, "bases"_a, "ignored"_a,
        nb::keep_alive<0, 2>());
  m.def("ignore_pairs", &ignore_pairs, "robot"_a, "meshes"_a, "ignored"_a, nb::keep_alive<0, 2>());
  nb::class_<IgnoredPairs>(m, "IgnoredPairs")
      .def(nb::init<Index, Index>(), "links"_a, "bodies"_a)
      .def("add", &IgnoredPairs::add, "link"_a, "body"_a);
  nb::enum_<Enclosures>(m, "Enclosures")
      .value("chains", Enclosures::chains)
      .value("tree", Enclosures::tree)
      .value("intervals", Enclosures::intervals);
  nb::class_<RobotOptions>(m, "RobotOptions")
      .def(nb::init<>())
      .def_rw("self_contact", &RobotOptions::self_contact)
      .def_rw("hierarchy", &RobotOptions::hierarchy)
      .def_rw("swept", &RobotOptions::swept)
      .def_rw("temporal", &RobotOptions::temporal)
      .def_rw("enclosures", &RobotOptions::enclosures)
      .def_rw("intervals", &RobotOptions::intervals)
      .def_rw("options", &RobotOptions::options)
      .def("set_separations", &set_separations, "separations"_a, "links"_a)
      .def("set_ignored", &set_ignored, "ignored"_a, "robot"_a, "world"_a);
  m.def("robot_frames", &robot_frames, "robot"_a, "q"_a.noconvert());
  m.def("robot_motion", &motion, "robot"_a, "joint"_a, "place"_a.noconvert(), "q_0"_a.noconvert(),
        "q_1"_a.noconvert());
}

}  // namespace toccata
