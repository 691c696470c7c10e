#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {
namespace {

Motion fixed(const Matrix& pose) { return Motion::fixed(read_pose(pose.data(), "pose")); }

Motion linear(const Matrix& start, const Matrix& end, const Vector& pivot) {
  return Twist::linear(read_pose(start.data(), "start"), read_pose(end.data(), "end"), view(pivot));
}

Motion screw(const Matrix& start, const Matrix& end) {
  return Twist::screw(read_pose(start.data(), "start"), read_pose(end.data(), "end"));
}

Motion twist(const Matrix& start, const Vector& linear, const Vector& angular) {
  return Twist{read_pose(start.data(), "start"), {0, 0, 0}, view(linear), view(angular)};
}

Motion spline(const Times& times, const Matrices& poses, SplineKind kind) {
  const std::vector<Pose> read = read_poses(poses, "poses");
  return Motion(std::make_shared<const Spline>(view(times), read, kind));
}

nb::ndarray<nb::numpy, double> poses(const Motion& motion, const Times& times) {
  std::vector<double> matrices(16 * times.shape(0));
  for (std::size_t i = 0; i < times.shape(0); ++i)
    write_pose(motion.pose(times.data()[i]), &matrices[16 * i]);
  return to_numpy(std::move(matrices), {times.shape(0), 4, 4});
}

}  // namespace

void bind_motion(nb::module_& m) {
  nb::enum_<SplineKind>(m, "SplineKind")
      .value("smooth", SplineKind::smooth)
      .value("linear", SplineKind::linear);
  nb::class_<Motion>(m, "Motion")
      .def_static("fixed", &fixed, "pose"_a.noconvert())
      .def_static("linear", &linear, "start"_a.noconvert(), "end"_a.noconvert(),
                  "pivot"_a.noconvert())
      .def_static("screw", &screw, "start"_a.noconvert(), "end"_a.noconvert())
      .def_static("twist", &twist, "start"_a.noconvert(), "linear"_a.noconvert(),
                  "angular"_a.noconvert())
      .def_static("spline", &spline, "times"_a.noconvert(), "poses"_a.noconvert(), "kind"_a)
      .def(
          "part", [](const Motion& m, double start, double end) { return m.part({start, end}); },
          "start"_a, "end"_a)
      .def_prop_ro("is_fixed", &Motion::is_fixed)
      .def("poses", &poses, "times"_a.noconvert());
}

}  // namespace toccata
