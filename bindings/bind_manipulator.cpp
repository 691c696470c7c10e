#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "proximity_columns.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"

namespace toccata {
namespace {

void make_manipulator(Manipulator* self, const Mesh& body, const World& world, const Matrix& pose,
                      double shell, const std::pair<double, double>& momentum) {
  new (self) Manipulator(body, world, view(pose), shell, {momentum.first, momentum.second});
}

nb::tuple obstacle_of(const Manipulator& hand) {
  const auto find = [&] {
    const Released released;
    return hand.obstacle();
  };
  const Manipulator::Obstacle found = find();
  return nb::make_tuple(found.body, found.distance, found.least);
}

nb::ndarray<nb::numpy, double> column_of(const Displacement& twist) {
  const Vec3d &f = twist.linear, &t = twist.angular;
  return to_numpy(std::vector<double>{f.x, f.y, f.z, t.x, t.y, t.z}, {6});
}

nb::tuple move_hand(Manipulator& hand, const Matrix& target, const std::pair<double, double>& until,
                    int max_substeps, const Twists& given) {
  static_assert(sizeof(Displacement) == 6 * sizeof(double));
  Move move;
  std::span<const Proximity> contacts;
  {
    const Released released;
    move = hand.move({view(target), until.first, until.second}, max_substeps,
                     {reinterpret_cast<const Displacement*>(given.data()), given.shape(0)});
    contacts = hand.contacts();
  }
  return nb::make_tuple(static_cast<int>(move.status), column_of(move.wrench), move.substeps,
                        move.truncated, move.time, move.waited, proximity_columns(contacts));
}

nb::ndarray<nb::numpy, double> pose_of_hand(const Manipulator& hand) {
  return to_numpy(std::vector<double>(hand.pose().begin(), hand.pose().end()), {4, 4});
}

/// Returns the motions of the path: (n, 35) numbers of `Motion.linear`, (n,) certified separations,
/// and (n, 2) times of the scene at the start and end of each motion.
nb::tuple path_of(const Manipulator& hand) {
  std::vector<double> numbers, separations, times;
  for (const CertifiedMotion& motion : hand.path()) {
    numbers.insert(numbers.end(), motion.numbers.begin(), motion.numbers.end());
    separations.push_back(motion.separation);
    times.push_back(motion.window.lo), times.push_back(motion.window.hi);
  }
  const std::size_t n = separations.size();
  return nb::make_tuple(to_numpy(std::move(numbers), {n, 35}),
                        to_numpy(std::move(separations), {n}), to_numpy(std::move(times), {n, 2}));
}

}  // namespace

void bind_manipulator(nb::module_& m) {
  nb::class_<Manipulator>(m, "Manipulator")
      .def("__init__", &make_manipulator, "body"_a, "world"_a, "pose"_a.noconvert(), "shell"_a,
           "momentum"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("obstacle", &obstacle_of)
      .def("move", &move_hand, "target"_a.noconvert(), "until"_a, "max_substeps"_a,
           "given"_a.noconvert())
      .def("undo", &Manipulator::undo, "count"_a)
      .def_prop_ro("moves", &Manipulator::moves)
      .def_prop_ro("shell", &Manipulator::shell)
      .def_prop_ro("time", &Manipulator::time)
      .def("velocity", [](const Manipulator& hand) { return column_of(hand.velocity()); })
      .def("pose", &pose_of_hand)
      .def("path", &path_of);
}

}  // namespace toccata
