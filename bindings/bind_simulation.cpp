#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "contact_columns.hpp"
#include "toccata/dynamics/world/simulation.hpp"

namespace toccata {
namespace {

using FlatPoses = nb::ndarray<const double, nb::shape<-1, 16>, nb::c_contig, nb::device::cpu>;

void make_simulation(Simulation* self, const Vector& gravity, double step, double shell,
                     bool sleeping, unsigned threads) {
  SimulationOptions options;
  options.gravity = view(gravity);
  options.step = step;
  options.shell = shell;
  options.sleeping = sleeping;
  options.threads = threads;
  new (self) Simulation(options);
}

/// Makes a body of a kind, at rest.
SimulatedBody make_body(const Mesh& mesh, BodyKind kind, const Matrix& pose,
                        const MassProperties& mass) {
  SimulatedBody body{};
  body.mesh = &mesh;
  body.kind = kind;
  body.mass = mass;
  body.state = state_at(read_pose(pose.data(), "pose"), mass);
  return body;
}

void add_free(Simulation& simulation, const std::string& name, const Mesh& mesh, const Matrix& pose,
              double mass, const Vector& center, const Square& inertia, const Vector& velocity,
              const Vector& spin, double friction, double restitution) {
  const double* p = inertia.data();
  const MassProperties properties{
      mass, view(center), {{p[0], p[3], p[6]}, {p[1], p[4], p[7]}, {p[2], p[5], p[8]}}};
  SimulatedBody body = make_body(mesh, BodyKind::free, pose, properties);
  body.state.velocity = view(velocity);
  body.state.spin = view(spin);
  body.material = {friction, restitution};
  simulation.add(name, std::move(body));
}

/// Adds a fixed or a kinematic body. Its center of mass is its origin.
void add_given(Simulation& simulation, const std::string& name, const Mesh& mesh,
               const Matrix& pose, const Motion* motion, double duration, double friction,
               double restitution) {
  const MassProperties none{1, {0, 0, 0}, identity3};
  SimulatedBody body = make_body(mesh, motion ? BodyKind::scripted : BodyKind::fixed, pose, none);
  if (motion) body.script = Script{*motion, duration};
  body.material = {friction, restitution};
  simulation.add(name, std::move(body));
}

/// Adds the links of a robot. `places` are the (4, 4) poses of links relative to their joints, 16
/// numbers each. `tested` has a flag for each pair of links.
void add_robot(Simulation& simulation, const std::string& name, ArticulatedBody& body,
               const std::vector<std::string>& links, const std::vector<const Mesh*>& meshes,
               const std::vector<Index>& joints, const FlatPoses& places,
               const std::vector<bool>& tested,
               const std::vector<std::pair<Index, std::string>>& ignored,
               const ActiveChoice& choice, double friction, double restitution) {
  RobotParts parts{name, &body, {}, tested, {ignored.begin(), ignored.end()}, choice};
  for (std::size_t i = 0; i < links.size(); ++i)
    parts.links.push_back(
        {links[i], meshes[i], joints[i], read_pose(places.data() + 16 * i, "offset")});
  simulation.add_robot(parts, {friction, restitution});
}

const SimulatedRobot& robot_of(const Simulation& simulation, const std::string& name) {
  const auto& all = simulation.robots();
  return *std::find_if(all.begin(), all.end(),
                       [&](const SimulatedRobot& robot) { return robot.name == name; });
}

/// Returns the configuration of a robot after some time at constant joint rates, its bodies, and
/// their poses.
nb::tuple robot_after(const Simulation& simulation, const std::string& name, const Times& q,
                      const Times& rates, double duration) {
  const SimulatedRobot& robot = robot_of(simulation, name);
  std::vector<double> end(q.shape(0));
  robot.tree.advance(q.data(), rates.data(), duration, end.data());
  std::vector<MovingFrame> frames;
  robot.tree.frames(end.data(), rates.data(), frames);
  std::vector<double> poses(16 * robot.bodies.size());
  for (std::size_t i = 0; i < robot.bodies.size(); ++i)
    write_pose(robot.tree.link(static_cast<Index>(i), frames).pose, &poses[16 * i]);
  std::vector<Index> bodies = robot.bodies;
  return nb::make_tuple(column(end), column(bodies),
                        to_numpy(std::move(poses), {robot.bodies.size(), 4, 4}));
}

nb::list robot_records(const StepRecord& record) {
  nb::list rows;
  for (const RobotRecord& r : record.robots) {
    std::vector<double> before = r.before, rates = r.rates;
    std::vector<Index> groups = r.groups;
    rows.append(
        nb::make_tuple(r.name, r.start, r.end, column(before), column(rates), column(groups)));
  }
  return rows;
}

void put(std::vector<double>& to, const Vec3d& v) { to.insert(to.end(), {v.x, v.y, v.z}); }

nb::ndarray<nb::numpy, double> rows3(std::vector<double>& values) {
  const std::size_t n = values.size() / 3;
  return to_numpy(std::move(values), {n, 3});
}

nb::tuple impact_columns(const std::vector<Impact>& impacts) {
  std::vector<double> time, point, normal, impulse, speed;
  std::vector<Index> a, b;
  for (const Impact& impact : impacts) {
    time.push_back(impact.time), speed.push_back(impact.speed);
    a.push_back(impact.a), b.push_back(impact.b);
    put(point, impact.point), put(normal, impact.normal), put(impulse, impact.impulse);
  }
  return nb::make_tuple(column(time), column(a), column(b), rows3(point), rows3(normal),
                        rows3(impulse), column(speed));
}

nb::tuple record_columns(const StepRecord& record) {
  std::vector<double> poses, velocities;
  for (std::size_t k = 0; k < record.body.size(); ++k) {
    poses.resize(poses.size() + 16);
    write_pose(record.before[k], &poses[16 * k]);
    put(velocities, record.velocity[k].linear), put(velocities, record.velocity[k].angular);
  }
  const std::size_t n = record.body.size();
  std::vector<Index> body = record.body;
  std::vector<double> start = record.start, end = record.end;
  return nb::make_tuple(column(body), column(start), column(end),
                        to_numpy(std::move(poses), {n, 4, 4}),
                        to_numpy(std::move(velocities), {n, 6}), robot_records(record));
}

nb::tuple step(Simulation& simulation, bool recorded) {
  StepReport report;
  StepRecord record;
  {
    const Released released;
    report = simulation.step(recorded ? &record : nullptr);
  }
  return nb::make_tuple(report.substeps, report.truncated, report.stopped, report.passes,
                        report.awake, report.lift, report.least_distance,
                        impact_columns(simulation.impacts()),
                        recorded ? nb::object(record_columns(record)) : nb::none());
}

nb::ndarray<nb::numpy, double> body_poses(const Simulation& simulation) {
  std::vector<double> all(16 * simulation.size());
  for (std::size_t i = 0; i < simulation.size(); ++i)
    write_pose(simulation.body(static_cast<Index>(i)).pose(), &all[16 * i]);
  return to_numpy(std::move(all), {simulation.size(), 4, 4});
}

/// Returns the centers of mass in body coordinates, (n, 3).
nb::ndarray<nb::numpy, double> centers(const Simulation& simulation) {
  std::vector<double> all;
  for (std::size_t i = 0; i < simulation.size(); ++i)
    put(all, simulation.body(static_cast<Index>(i)).mass.center);
  return rows3(all);
}

nb::ndarray<nb::numpy, double> body_velocities(const Simulation& simulation) {
  std::vector<double> all;
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const RigidState& state = simulation.body(static_cast<Index>(i)).state;
    put(all, state.velocity), put(all, state.spin);
  }
  return to_numpy(std::move(all), {simulation.size(), 6});
}

nb::tuple contacts(const Simulation& simulation) {
  std::vector<Index> a, b;
  std::vector<double> point, normal, distance, force;
  for (const SimulatedContact& contact : simulation.contacts()) {
    a.push_back(contact.a), b.push_back(contact.b);
    put(point, contact.point), put(normal, contact.normal), put(force, contact.force);
    distance.push_back(contact.distance);
  }
  return nb::make_tuple(column(a), column(b), rows3(point), rows3(normal), column(distance),
                        rows3(force));
}

nb::tuple obstacle(Simulation& simulation) {
  const auto find = [&] {
    const Released released;
    return simulation.obstacle();
  };
  const Simulation::Obstacle found = find();
  return nb::make_tuple(found.a, found.b, found.distance, found.least);
}

void move_body(Simulation& simulation, Index i, const Matrix& pose) {
  SimulatedBody& body = simulation.body(i);
  const RigidState at = state_at(read_pose(pose.data(), "pose"), body.mass);
  body.state.rotation = at.rotation, body.state.center = at.center;
  body.is_certified = false;
  simulation.wake_all();  // others may have rested on this body
}

void set_velocity(Simulation& simulation, Index i, const Vector& velocity, const Vector& spin) {
  simulation.body(i).state.velocity = view(velocity);
  simulation.body(i).state.spin = view(spin);
  simulation.wake(i);
}

void apply(Simulation& simulation, Index i, const Vector& force, const Vector& torque) {
  SimulatedBody& body = simulation.body(i);
  body.force = body.force + view(force);
  body.torque = body.torque + view(torque);
  simulation.wake(i);
}

void propose(Simulation& simulation, const Twists& given) {
  static_assert(sizeof(BodyVelocity) == 6 * sizeof(double));
  const auto* first = reinterpret_cast<const BodyVelocity*>(given.data());
  simulation.options().proposals.assign(first, first + given.shape(0));
}

std::vector<bool> asleep(const Simulation& simulation) {
  std::vector<bool> all;
  for (std::size_t i = 0; i < simulation.size(); ++i)
    all.push_back(simulation.body(static_cast<Index>(i)).is_asleep());
  return all;
}

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::class_<ActiveChoice>(m, "ActiveChoice")
      .def(
          "__init__",
          [](ActiveChoice* self, Activity activity, Index most, double error) {
            new (self) ActiveChoice{activity, most, error};
          },
          "activity"_a, "most"_a, "error"_a);
  // Meshes and articulated bodies outlive the simulation: Python's world frees them after `remove`.
  nb::class_<Simulation>(m, "Simulation")
      .def("__init__", &make_simulation, "gravity"_a, "step"_a, "shell"_a, "sleeping"_a,
           "threads"_a)
      .def("add_free", &add_free, "name"_a, "mesh"_a, "pose"_a, "mass"_a, "center"_a, "inertia"_a,
           "velocity"_a, "spin"_a, "friction"_a, "restitution"_a)
      .def("add_given", &add_given, "name"_a, "mesh"_a, "pose"_a, "motion"_a.none(), "duration"_a,
           "friction"_a, "restitution"_a)
      .def("remove", &Simulation::remove, "name"_a)
      .def("add_robot", &add_robot, "name"_a, "body"_a, "links"_a, "meshes"_a, "joints"_a,
           "places"_a, "tested"_a, "ignored"_a, "choice"_a, "friction"_a, "restitution"_a)
      .def("remove_robot", &Simulation::remove_robot, "name"_a)
      .def("read_robots", &Simulation::read_robots)
      .def("robot_after", &robot_after, "name"_a, "q"_a, "rates"_a, "duration"_a)
      .def("names", [](const Simulation& s) { return s.names(); })
      .def("step", &step, "recorded"_a)
      .def("poses", &body_poses)
      .def("centers", &centers)
      .def("velocities", &body_velocities)
      .def("asleep", &asleep)
      .def("contacts", &contacts)
      .def("obstacle", &obstacle)
      .def_prop_ro("is_certified", &Simulation::is_certified)
      .def("move", &move_body, "body"_a, "pose"_a)
      .def("set_velocity", &set_velocity, "body"_a, "velocity"_a, "spin"_a)
      .def("apply", &apply, "body"_a, "force"_a, "torque"_a)
      .def("propose", &propose, "given"_a)
      .def("shell", &Simulation::shell, "a"_a, "b"_a)
      .def_prop_ro("least_shell", &Simulation::least_shell)
      .def_prop_ro("time", &Simulation::time)
      .def_prop_ro("energy", &Simulation::energy)
      .def("state",
           [](Simulation& s) {
             std::vector<double> numbers = s.state();
             return column(numbers);
           })
      .def(
          "restore",
          [](Simulation& s, const Times& state, bool trusted) { s.restore(view(state), trusted); },
          "state"_a, "trusted"_a);
}

}  // namespace toccata
