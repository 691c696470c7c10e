#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "numbers.hpp"
#include "toccata/motion/recipe.hpp"

namespace toccata {
namespace {

/// A motion with the numbers that it was made from, which pickles contain.
struct MadeMotion : Motion {
  MotionKind kind;
  std::vector<double> numbers;

  MadeMotion(MotionKind kind, std::vector<double> from)
      : Motion(make_motion(kind, from)), kind(kind), numbers(std::move(from)) {}
};

/// A motion, or `nullopt` if Python has to convert the arguments first.
using Maybe = std::optional<MadeMotion>;

constexpr std::size_t matrix_size = 16;

bool copy_matrix(nb::handle values, double* to) {
  return copy_doubles(values, {4, 4}, {to, matrix_size});
}

Maybe fixed(nb::handle pose) {
  std::vector<double> numbers(matrix_size);
  if (!copy_matrix(pose, numbers.data())) return std::nullopt;
  return MadeMotion(MotionKind::fixed, std::move(numbers));
}

Maybe linear(nb::handle start, nb::handle end, nb::handle pivot) {
  std::vector<double> numbers(2 * matrix_size + 3);
  double* to = numbers.data();
  if (!copy_matrix(start, to) || !copy_matrix(end, to + matrix_size) ||
      !copy_row(pivot, {to + 2 * matrix_size, 3}))
    return std::nullopt;
  return MadeMotion(MotionKind::linear, std::move(numbers));
}

Maybe screw(nb::handle start, nb::handle end) {
  std::vector<double> numbers(2 * matrix_size);
  if (!copy_matrix(start, numbers.data()) || !copy_matrix(end, numbers.data() + matrix_size))
    return std::nullopt;
  return MadeMotion(MotionKind::screw, std::move(numbers));
}

Maybe twist(nb::handle start, nb::handle linear, nb::handle angular) {
  std::vector<double> numbers(matrix_size + 6);
  double* to = numbers.data();
  if (!copy_matrix(start, to) || !copy_row(linear, {to + matrix_size, 3}) ||
      !copy_row(angular, {to + matrix_size + 3, 3}))
    return std::nullopt;
  return MadeMotion(MotionKind::twist, std::move(numbers));
}

/// Makes a spline; expects as many poses as times.
MadeMotion spline(const Times& times, const Matrices& poses, SplineKind kind) {
  std::vector<double> numbers(times.data(), times.data() + times.size());
  numbers.insert(numbers.end(), poses.data(), poses.data() + poses.size());
  const bool smooth = kind == SplineKind::smooth;
  return {smooth ? MotionKind::smooth_spline : MotionKind::linear_spline, std::move(numbers)};
}

nb::ndarray<nb::numpy, double> motion_poses(const Motion& motion, const Times& times) {
  std::vector<double> matrices(16 * times.shape(0));
  for (std::size_t i = 0; i < times.shape(0); ++i)
    write_pose(motion.pose(times.data()[i]), &matrices[16 * i]);
  return to_numpy(std::move(matrices), {times.shape(0), 4, 4});
}

/// Fills a (4, 4) array; returns false if Python has to convert the arguments first.
bool fill_pose(nb::handle matrix, nb::handle translation, RotationKind kind, nb::handle rotation) {
  double place[3], turn[4];
  const std::size_t width = kind == RotationKind::none ? 0 : kind == RotationKind::rotvec ? 3 : 4;
  if (!copy_row(translation, place)) return false;
  if (width > 0 && !copy_row(rotation, {turn, width})) return false;
  const Pose pose = make_pose({place[0], place[1], place[2]}, kind, {turn, width});
  Py_buffer view;
  if (PyObject_GetBuffer(matrix.ptr(), &view, PyBUF_WRITABLE) != 0) throw nb::python_error();
  write_pose(pose, static_cast<double*>(view.buf));
  PyBuffer_Release(&view);
  return true;
}

void bind_kinds(nb::module_& m) {
  nb::enum_<SplineKind>(m, "SplineKind")
      .value("smooth", SplineKind::smooth)
      .value("linear", SplineKind::linear);
  nb::enum_<MotionKind>(m, "MotionKind")
      .value("fixed", MotionKind::fixed)
      .value("linear", MotionKind::linear)
      .value("screw", MotionKind::screw)
      .value("twist", MotionKind::twist)
      .value("smooth_spline", MotionKind::smooth_spline)
      .value("linear_spline", MotionKind::linear_spline);
  nb::enum_<RotationKind>(m, "RotationKind")
      .value("none", RotationKind::none)
      .value("rotvec", RotationKind::rotvec)
      .value("quat_xyzw", RotationKind::quat_xyzw)
      .value("quat_wxyz", RotationKind::quat_wxyz);
}

}  // namespace

void bind_motion(nb::module_& m) {
  bind_kinds(m);
  nb::class_<Motion>(m, "Motion")
      .def_prop_ro("is_fixed", &Motion::is_fixed)
      .def(
          "part",
          [](const Motion& motion, double start, double end) { return motion.part({start, end}); },
          "start"_a, "end"_a)
      .def("poses", &motion_poses, "times"_a.noconvert());
  nb::class_<MadeMotion, Motion>(m, "MadeMotion")
      .def(
          "__init__",
          [](MadeMotion* self, MotionKind kind, const Times& numbers) {
            new (self) MadeMotion(kind, {numbers.data(), numbers.data() + numbers.size()});
          },
          "kind"_a, "numbers"_a.noconvert())
      .def_static("fixed", &fixed, "pose"_a.none())
      .def_static("linear", &linear, "start"_a.none(), "end"_a.none(), "pivot"_a.none())
      .def_static("screw", &screw, "start"_a.none(), "end"_a.none())
      .def_static("twist", &twist, "start"_a.none(), "linear"_a.none(), "angular"_a.none())
      .def_static("spline", &spline, "times"_a.noconvert(), "poses"_a.noconvert(), "kind"_a)
      .def_ro("kind", &MadeMotion::kind)
      .def_prop_ro(
          "numbers",
          [](const MadeMotion& motion) {
            return to_numpy(std::vector<double>(motion.numbers), {motion.numbers.size()});
          },
          nb::rv_policy::move);
  m.def("fill_pose", &fill_pose, "matrix"_a, "translation"_a.none(), "kind"_a, "rotation"_a.none());
}

}  // namespace toccata
