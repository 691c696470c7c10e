#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/dynamics/articulated/articulated_body.hpp"

namespace toccata {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, double>;

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

/// `limits`: (2, coordinates), the lower limits and the upper limits.
void make_settings(ArticulatedSettings* self, const Vector& gravity, const Rows& limits,
                   int refresh, double metric_time, double metric_length) {
  const double *low = limits.data(), *high = low + limits.shape(1);
  new (self) ArticulatedSettings{view(gravity),
                                 {low, low + limits.shape(1)},
                                 {high, high + limits.shape(1)},
                                 refresh,
                                 metric_time,
                                 metric_length};
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

/// Binds the structs that articulated bodies take and return.
void bind_settings(nb::module_& m) {
  nb::enum_<Activity>(m, "Activity")
      .value("all", Activity::all)
      .value("chosen", Activity::chosen)
      .value("kept", Activity::kept);
  nb::class_<ActiveChoice>(m, "ActiveChoice")
      .def(
          "__init__",
          [](ActiveChoice* self, Activity activity, Index most, double error) {
            new (self) ActiveChoice{activity, most, error};
          },
          "activity"_a, "most"_a, "error"_a)
      .def_ro("activity", &ActiveChoice::activity)
      .def_ro("most", &ActiveChoice::most)
      .def_ro("error", &ActiveChoice::error);
  using Schedule = ArticulatedBody::Schedule;
  nb::class_<Schedule>(m, "ActiveSchedule")
      .def(
          "__init__",
          [](Schedule* self, const ActiveChoice& choice, int since_refresh, double rigid_metric) {
            new (self) Schedule{choice, since_refresh, rigid_metric};
          },
          "choice"_a, "since_refresh"_a, "rigid_metric"_a = 0.0)
      .def_ro("choice", &Schedule::choice)
      .def_ro("since_refresh", &Schedule::since_refresh)
      .def_ro("rigid_metric", &Schedule::rigid_metric);
  nb::class_<ArticulatedSettings>(m, "ArticulatedSettings")
      .def("__init__", &make_settings, "gravity"_a.noconvert(), "limits"_a.noconvert(), "refresh"_a,
           "metric_time"_a, "metric_length"_a);
  nb::class_<FramePull>(m, "FramePull")
      .def(
          "__init__",
          [](FramePull* self, Index joint, const Vector& point, const Vector& force,
             const Vector& torque) {
            new (self) FramePull{joint, view(point), view(force), view(torque)};
          },
          "joint"_a, "point"_a.noconvert(), "force"_a.noconvert(), "torque"_a.noconvert());
  nb::class_<Spring>(m, "Spring")
      .def(
          "__init__",
          [](Spring* self, Index joint, const Vector& point, ArticulatedBody* other,
             Index other_joint, const Vector& other_point, const Vector& numbers) {
            const Vec3d n = view(numbers);
            new (self)
                Spring{joint, view(point), other, other_joint, view(other_point), n.x, n.y, n.z};
          },
          "joint"_a, "point"_a.noconvert(), "other"_a.none(), "other_joint"_a,
          "other_point"_a.noconvert(), "numbers"_a.noconvert());
}

}  // namespace

void bind_articulated(nb::module_& m) {
  bind_settings(m);
  using Body = ArticulatedBody;
  nb::class_<Body>(m, "ArticulatedBody")
      .def(
          "__init__",
          [](Body* self, const std::vector<Joint>& joints,
             const std::vector<MassProperties>& masses,
             const ArticulatedSettings& settings) { new (self) Body(joints, masses, settings); },
          "joints"_a, "masses"_a, "settings"_a)
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
          "add_spring", [](Body& b, const Spring& spring) { b.springs.push_back(spring); },
          "spring"_a)
      .def("clear_springs", [](Body& b) { b.springs.clear(); })
      .def(
          "pull", [](Body& b, const FramePull& pull) { b.pulls.push_back(pull); }, "pull"_a)
      .def(
          "strike", [](Body& b, const FramePull& impulse) { b.apply({{impulse}}); }, "impulse"_a)
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
      .def("schedule", &Body::schedule)
      .def("set_schedule", &Body::set_schedule, "schedule"_a);
  m.def(
      "step_bodies",
      [](const std::vector<Body*>& bodies, double time, Index n, const ActiveChoice& choice) {
        const Released released;
        Body::step_all(bodies, time, n, choice);
      },
      "bodies"_a, "time"_a, "n"_a, "choice"_a);
}

}  // namespace toccata
