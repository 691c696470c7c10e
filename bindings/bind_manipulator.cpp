#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "proximity_columns.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"

namespace toccata {
namespace {

void make_manipulator(Manipulator* self, const Mesh& body, const BodySet& world, const Matrix& pose,
                      double shell, const Momentum& momentum) {
  new (self) Manipulator(body, world, view(pose), shell, momentum);
}

Manipulator::Obstacle obstacle_of(const Manipulator& hand) {
  const Released released;
  return hand.obstacle();
}

nb::ndarray<nb::numpy, double> column_of(const Displacement& twist) {
  const Vec3d &f = twist.linear, &t = twist.angular;
  return to_numpy(std::vector<double>{f.x, f.y, f.z, t.x, t.y, t.z}, {6});
}

nb::tuple move_hand(Manipulator& hand, const Aim& aim, int max_substeps, const Twists& given) {
  static_assert(sizeof(Displacement) == 6 * sizeof(double));
  Move move;
  std::span<const Proximity> contacts;
  {
    const Released released;
    move = hand.move(aim, max_substeps,
                     {reinterpret_cast<const Displacement*>(given.data()), given.shape(0)});
    contacts = hand.contacts();
  }
  return nb::make_tuple(move, proximity_columns(contacts));
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
  nb::class_<Momentum>(m, "Momentum")
      .def(
          "__init__",
          [](Momentum* self, double mass, double rate) { new (self) Momentum{mass, rate}; },
          "mass"_a, "rate"_a);
  nb::class_<Aim>(m, "Aim").def(
      "__init__",
      [](Aim* self, const Matrix& target, double time, double duration) {
        new (self) Aim{view(target), time, duration};
      },
      "target"_a.noconvert(), "time"_a, "duration"_a);
  nb::class_<Move>(m, "Move")
      .def_prop_ro("status", [](const Move& move) { return static_cast<int>(move.status); })
      .def_prop_ro(
          "wrench", [](const Move& move) { return column_of(move.wrench); },
          nb::rv_policy::automatic)
      .def_ro("substeps", &Move::substeps)
      .def_ro("truncated", &Move::truncated)
      .def_ro("time", &Move::time)
      .def_ro("waited", &Move::waited);
  nb::class_<Manipulator::Obstacle>(m, "ManipulatorObstacle")
      .def_ro("body", &Manipulator::Obstacle::body)
      .def_ro("distance", &Manipulator::Obstacle::distance)
      .def_ro("least", &Manipulator::Obstacle::least);
  nb::class_<Manipulator>(m, "Manipulator")
      .def("__init__", &make_manipulator, "body"_a, "world"_a, "pose"_a.noconvert(), "shell"_a,
           "momentum"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("obstacle", &obstacle_of)
      .def("move", &move_hand, "aim"_a, "max_substeps"_a, "given"_a.noconvert())
      .def("undo", &Manipulator::undo, "count"_a)
      .def_prop_ro("moves", &Manipulator::moves)
      .def_prop_ro("shell", &Manipulator::shell)
      .def_prop_ro("time", &Manipulator::time)
      .def("velocity", [](const Manipulator& hand) { return column_of(hand.velocity()); })
      .def("pose", &pose_of_hand)
      .def("path", &path_of);
}

}  // namespace toccata
