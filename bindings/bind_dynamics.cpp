#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/dynamics/body/mass.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"
#include "toccata/dynamics/solver/projection.hpp"

namespace toccata {
namespace {

MassProperties properties_of(const Mesh& mesh, double density) {
  const Released released;
  return mass_properties(mesh, density);
}

nb::tuple project(Projector& projector, const Rows& metric, const Times& target, const Rows& rows,
                  const Times& bounds) {
  const ProjectionStatus status = projector.solve(
      {{metric.data(), metric.size()}, view(target), {rows.data(), rows.size()}, view(bounds)});
  constexpr const char* names[] = {"solved", "infeasible", "stalled"};
  const auto copied = [](const auto& values) {
    return to_numpy(std::vector(values.begin(), values.end()), {values.size()});
  };
  return nb::make_tuple(names[static_cast<int>(status)], copied(projector.x()),
                        copied(projector.active()), copied(projector.multipliers()),
                        projector.steps());
}

template <class T>
std::vector<T> listed(std::span<const T> values) {
  return {values.begin(), values.end()};
}

BodyVelocities make_bodies(const Times& inverse_mass, const Squares& inverse_inertia,
                           const Points& velocity, const Points& spin) {
  BodyVelocities bodies{listed(view(inverse_mass)), {}, listed(view(velocity)), listed(view(spin))};
  for (std::size_t i = 0; i < inverse_inertia.shape(0); ++i)
    bodies.inverse_inertia.push_back(read_matrix(inverse_inertia.data() + 9 * i));
  return bodies;
}

/// `bodies` and `arms` are pairs for bodies a and b. `limits` are the coefficients of friction and
/// the targets.
ContactPoints make_contacts(const std::pair<Labels, Labels>& bodies,
                            const std::pair<Points, Points>& arms, const Points& normal,
                            const std::pair<Times, Times>& limits, const Points& impulse) {
  const auto ids = [](const Labels& labels) {
    return std::vector<Index>(labels.data(), labels.data() + labels.shape(0));
  };
  return {ids(bodies.first),           ids(bodies.second),   listed(view(arms.first)),
          listed(view(arms.second)),   listed(view(normal)), listed(view(limits.first)),
          listed(view(limits.second)), listed(view(impulse))};
}

nb::ndarray<nb::numpy, double> rows_of(const std::vector<Vec3d>& vectors) {
  std::vector<double> values;
  for (const Vec3d& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
  return to_numpy(std::move(values), {vectors.size(), 3});
}

nb::tuple solve_contacts(ContactSolver& solver, BodyVelocities& bodies, ContactPoints& contacts,
                         double tolerance, int most) {
  const ContactSolverReport report = solver.solve(bodies, contacts, {tolerance, most});
  return nb::make_tuple(report.converged, report.passes);
}

/// Binds the solvers for tests; no public function calls them.
void bind_solvers(nb::module_& m) {
  nb::class_<Projector>(m, "Projector")
      .def(nb::init<>())
      .def("solve", &project, "metric"_a.noconvert(), "target"_a.noconvert(), "rows"_a.noconvert(),
           "bounds"_a.noconvert());
  nb::class_<BodyVelocities>(m, "BodyVelocities")
      .def(nb::new_(&make_bodies), "inverse_mass"_a, "inverse_inertia"_a, "velocity"_a, "spin"_a)
      .def("velocity", [](const BodyVelocities& b) { return rows_of(b.velocity); })
      .def("spin", [](const BodyVelocities& b) { return rows_of(b.spin); });
  nb::class_<ContactPoints>(m, "ContactPoints")
      .def(nb::new_(&make_contacts), "bodies"_a, "arms"_a, "normal"_a, "limits"_a, "impulse"_a)
      .def("impulse", [](const ContactPoints& c) { return rows_of(c.impulse); });
  nb::class_<ContactSolver>(m, "ContactSolver")
      .def(nb::init<>())
      .def("solve", &solve_contacts, "bodies"_a, "contacts"_a, "tolerance"_a, "most"_a);
}

}  // namespace

void bind_dynamics(nb::module_& m) {
  nb::class_<MassProperties>(m, "MassProperties")
      .def(
          "__init__",
          [](MassProperties* self, double mass, const Vector& center, const Square& inertia) {
            new (self) MassProperties{mass, toccata::view(center), toccata::view(inertia)};
          },
          "mass"_a, "center"_a.noconvert(), "inertia"_a.noconvert())
      .def_ro("mass", &MassProperties::mass)
      .def_prop_ro(
          "center", [](const MassProperties& p) { return to_numpy(p.center); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "inertia", [](const MassProperties& p) { return to_numpy(p.inertia); },
          nb::rv_policy::automatic)
      .def("check", &check);
  m.def("mass_properties", &properties_of, "mesh"_a, "density"_a);
  bind_solvers(m);
}

}  // namespace toccata
