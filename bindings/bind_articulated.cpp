#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/dynamics/articulated/articulated_body.hpp"

namespace toccata {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, double>;

struct Masses {
  const Times& mass;
  const Points& center;
  const Squares& inertia;
};

std::vector<MassProperties> read_masses(const Masses& masses) {
  std::vector<MassProperties> properties;
  for (std::size_t i = 0; i < masses.mass.shape(0); ++i) {
    const double* m = masses.inertia.data() + 9 * i;
    properties.push_back({masses.mass.data()[i],
                          view(masses.center)[i],
                          {{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}}});
  }
  return properties;
}

std::vector<double> copied(const Times& numbers) {
  return {numbers.data(), numbers.data() + numbers.shape(0)};
}

Numbers copied_column(std::span<const double> numbers) {
  return to_numpy(std::vector<double>(numbers.begin(), numbers.end()), {numbers.size()});
}

std::vector<double> numbers_of(const Spatial& s) {
  const Vec3d &a = s.linear, &b = s.angular;
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}

/// `limits`: (2, coordinates), the lower limits and the upper limits. `metric`: time in seconds,
/// and length.
void make_articulated(ArticulatedBody* self, const std::vector<Joint>& joints, const Times& mass,
                      const Points& center, const Squares& inertia, const Vector& gravity,
                      const Rows& limits, int refresh, const Times& metric) {
  const double *low = limits.data(), *high = low + limits.shape(1);
  ArticulatedSettings settings{view(gravity),
                               {low, low + limits.shape(1)},
                               {high, high + limits.shape(1)},
                               refresh,
                               metric.data()[0],
                               metric.data()[1]};
  new (self) ArticulatedBody(joints, read_masses({mass, center, inertia}), std::move(settings));
}

Numbers frames(ArticulatedBody& body) {
  const std::size_t n = body.joints().size();
  std::vector<double> matrices(16 * n);
  for (std::size_t j = 0; j < n; ++j)
    write_pose(body.frame(static_cast<Index>(j)), matrices.data() + 16 * j);
  return to_numpy(std::move(matrices), {n, 4, 4});
}

Numbers velocities(ArticulatedBody& body) {
  std::vector<double> rows;
  for (std::size_t j = 0; j < body.joints().size(); ++j)
    for (const double x : numbers_of(body.velocity(static_cast<Index>(j)))) rows.push_back(x);
  return to_numpy(std::move(rows), {body.joints().size(), 6});
}

Numbers accelerations(ArticulatedBody& body, const Rows& q, const Rows& v, const Rows& tau) {
  const std::size_t n = q.shape(0), width = body.freedoms();
  std::vector<double> out(n * width);
  {
    const Released released;
    for (std::size_t i = 0; i < n; ++i)
      body.acceleration(q.data() + i * q.shape(1), v.data() + i * width, tau.data() + i * width,
                        out.data() + i * width);
  }
  return to_numpy(std::move(out), {n, width});
}

Numbers mobility(ArticulatedBody& body, const Labels& joints) {
  const std::size_t width = 6 * joints.shape(0);
  std::vector<double> blocks(width * width);
  body.mobility(view(joints), blocks.data());
  return to_numpy(std::move(blocks), {width, width});
}

FramePull pull_of(Index joint, const Vector& point, const Vector& force, const Vector& torque) {
  return {joint, view(point), view(force), view(torque)};
}

nb::tuple measure(ArticulatedBody& body) {
  const Numbers joints = copied_column(body.measure());
  return nb::make_tuple(joints, copied_column(body.selection().metrics()));
}

/// Returns the nodes of the assembly tree as (n, 3) rows: joint, upper and lower child; -1 for
/// leaves.
nb::ndarray<nb::numpy, Index> assembly_nodes(const ArticulatedBody& body) {
  std::vector<Index> rows;
  const auto nodes = body.selection().tree().nodes();
  for (const AssemblyNode& node : nodes)
    rows.insert(rows.end(), {node.joint, node.upper, node.lower});
  return to_numpy(std::move(rows), {nodes.size(), 3});
}

nb::tuple work(const ArticulatedBody& body) {
  const ArticulatedWork& w = body.work();
  return nb::make_tuple(w.groups, w.solves, w.refreshes, w.refreshed);
}

}  // namespace

void bind_articulated(nb::module_& m) {
  nb::enum_<Activity>(m, "Activity")
      .value("all", Activity::all)
      .value("chosen", Activity::chosen)
      .value("kept", Activity::kept);
  using Body = ArticulatedBody;
  nb::class_<Body>(m, "ArticulatedBody")
      .def("__init__", &make_articulated, "joints"_a, "mass"_a.noconvert(), "center"_a.noconvert(),
           "inertia"_a.noconvert(), "gravity"_a.noconvert(), "limits"_a.noconvert(), "refresh"_a,
           "metric"_a.noconvert())
      .def_prop_ro("coordinates", &Body::coordinates)
      .def_prop_ro("freedoms", &Body::freedoms)
      .def_prop_ro("first_rates", [](const Body& b) { return b.table().first; })
      .def("q", [](const Body& b) { return copied_column(b.q()); })
      .def("v", [](const Body& b) { return copied_column(b.v()); })
      .def(
          "set",
          [](Body& b, const Times& q, const Times& v) {
            b.set(toccata::view(q), toccata::view(v));
          },
          "q"_a.noconvert(), "v"_a.noconvert())
      .def("tau", [](const Body& b) { return copied_column(b.tau); })
      .def(
          "set_tau", [](Body& b, const Times& tau) { b.tau = copied(tau); }, "tau"_a.noconvert())
      .def("damping", [](const Body& b) { return copied_column(b.damping()); })
      .def(
          "set_damping", [](Body& b, const Times& d) { b.set_damping(toccata::view(d)); },
          "damping"_a.noconvert())
      .def(
          "add_spring",
          [](Body& b, Index joint, const Vector& point, Body* other, Index other_joint,
             const Vector& other_point, const Vector& numbers) {
            const Vec3d n = toccata::view(numbers);
            b.springs.push_back({joint, toccata::view(point), other, other_joint,
                                 toccata::view(other_point), n.x, n.y, n.z});
          },
          "joint"_a, "point"_a.noconvert(), "other"_a.none(), "other_joint"_a,
          "other_point"_a.noconvert(), "numbers"_a.noconvert())
      .def("clear_springs", [](Body& b) { b.springs.clear(); })
      .def(
          "pull",
          [](Body& b, Index joint, const Vector& point, const Vector& force, const Vector& torque) {
            b.pulls.push_back(pull_of(joint, point, force, torque));
          },
          "joint"_a, "point"_a.noconvert(), "force"_a.noconvert(), "torque"_a.noconvert())
      .def(
          "strike",
          [](Body& b, Index joint, const Vector& point, const Vector& force, const Vector& torque) {
            b.apply({{pull_of(joint, point, force, torque)}});
          },
          "joint"_a, "point"_a.noconvert(), "force"_a.noconvert(), "torque"_a.noconvert())
      .def("frames", &frames)
      .def("velocities", &velocities)
      .def("energy", &Body::energy)
      .def("kinetic_energy", &Body::kinetic_energy)
      .def("momentum", [](Body& b) { return to_numpy(numbers_of(b.momentum()), {6}); })
      .def("acceleration", &accelerations, "q"_a.noconvert(), "v"_a.noconvert(),
           "tau"_a.noconvert())
      .def("present_acceleration",
           [](Body& b) {
             std::vector<double> out(b.freedoms());
             b.present_acceleration(out.data());
             return copied_column(out);
           })
      .def("mobility", &mobility, "joints"_a.noconvert())
      .def(
          "kick",
          [](Body& b, double time, bool after) {
            b.kick(time, after ? Kick::after_move : Kick::before_move);
          },
          "time"_a, "after"_a = false)
      .def("stop_at_limits", &Body::stop_at_limits, "time"_a)
      .def("move", &Body::move, "time"_a)
      .def("active",
           [](const Body& b) { return std::vector<bool>(b.active().begin(), b.active().end()); })
      .def(
          "set_active",
          [](Body& b, const Bytes& active) { b.set_active({active.data(), active.shape(0)}); },
          "active"_a.noconvert())
      .def(
          "activate", [](Body& b, const Labels& joints) { b.activate(view(joints)); },
          "joints"_a.noconvert())
      .def("groups",
           [](const Body& b) { return std::vector<Index>(b.groups().begin(), b.groups().end()); })
      .def("measure", &measure)
      .def("assembly_nodes", &assembly_nodes)
      .def_prop_ro("rigid_metric", &Body::rigid_metric)
      .def("work", &work)
      .def("schedule",
           [](const Body& b) {
             const Body::Schedule s = b.schedule();
             return nb::make_tuple(s.choice.activity, s.choice.most, s.choice.error,
                                   s.since_refresh, s.rigid_metric);
           })
      .def(
          "set_schedule",
          [](Body& b, Activity activity, Index most, double error, int since, double metric) {
            b.set_schedule({{activity, most, error}, since, metric});
          },
          "activity"_a, "most"_a, "error"_a, "since"_a, "metric"_a = 0.0);
  m.def(
      "step_bodies",
      [](const std::vector<Body*>& bodies, double time, Index n, Activity activity, Index most,
         double error) {
        const Released released;
        Body::step_all(bodies, time, n, {activity, most, error});
      },
      "bodies"_a, "time"_a, "n"_a, "activity"_a, "most"_a, "error"_a);
}

}  // namespace toccata
