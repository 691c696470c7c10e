#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "contact_columns.hpp"
#include "toccata/dynamics/world/world.hpp"

namespace toccata {
namespace {

Pose checked_pose(const Matrix& pose, const char* name) { return read_pose(pose.data(), name); }

nb::ndarray<nb::numpy, double> pose_rows(const std::vector<Pose>& poses) {
  std::vector<double> all(16 * poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) write_pose(poses[i], &all[16 * i]);
  return to_numpy(std::move(all), {poses.size(), 4, 4});
}

/// Returns the configuration of a robot after some time at constant joint rates, its bodies, and
/// their poses.
nb::tuple robot_after(const World& world, const std::string& name, const Times& q,
                      const Times& rates, double duration) {
  const SimulatedRobot& robot = world.robot(name);
  std::vector<double> end;
  std::vector<Pose> links;
  robot.advance(q.data(), rates.data(), duration, end, links);
  std::vector<Index> bodies = robot.bodies;
  return nb::make_tuple(column(end), column(bodies), pose_rows(links));
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
  std::vector<double> velocities;
  for (const BodyVelocity& v : record.velocity)
    put(velocities, v.linear), put(velocities, v.angular);
  const std::size_t n = record.body.size();
  std::vector<Index> body = record.body;
  std::vector<double> start = record.start, end = record.end;
  return nb::make_tuple(column(body), column(start), column(end), pose_rows(record.before),
                        to_numpy(std::move(velocities), {n, 6}), robot_records(record));
}

nb::tuple step(World& world, bool recorded) {
  StepReport report;
  StepRecord record;
  {
    const Released released;
    report = world.step(recorded ? &record : nullptr);
  }
  return nb::make_tuple(report, impact_columns(world.impacts()),
                        recorded ? nb::object(record_columns(record)) : nb::none());
}

nb::ndarray<nb::numpy, double> body_poses(World& world) {
  std::vector<Pose> all;
  for (std::size_t i = 0; i < world.size(); ++i)
    all.push_back(world.body(static_cast<Index>(i)).pose());
  return pose_rows(all);
}

/// Returns the centers of mass in body coordinates, (n, 3).
nb::ndarray<nb::numpy, double> centers(World& world) {
  std::vector<double> all;
  for (std::size_t i = 0; i < world.size(); ++i)
    put(all, world.body(static_cast<Index>(i)).mass.center);
  return rows3(all);
}

nb::ndarray<nb::numpy, double> body_velocities(World& world) {
  std::vector<double> all;
  for (std::size_t i = 0; i < world.size(); ++i) {
    const RigidState& state = world.body(static_cast<Index>(i)).state;
    put(all, state.velocity), put(all, state.spin);
  }
  return to_numpy(std::move(all), {world.size(), 6});
}

nb::tuple contacts(const World& world) {
  std::vector<Index> a, b;
  std::vector<double> point, normal, distance, force;
  for (const SimulatedContact& contact : world.contacts()) {
    a.push_back(contact.a), b.push_back(contact.b);
    put(point, contact.point), put(normal, contact.normal), put(force, contact.force);
    distance.push_back(contact.distance);
  }
  return nb::make_tuple(column(a), column(b), rows3(point), rows3(normal), column(distance),
                        rows3(force));
}

World::Obstacle obstacle(World& world) {
  const Released released;
  return world.obstacle();
}

void propose(World& world, const Twists& given) {
  static_assert(sizeof(BodyVelocity) == 6 * sizeof(double));
  const auto* first = reinterpret_cast<const BodyVelocity*>(given.data());
  world.options().proposals.assign(first, first + given.shape(0));
}

std::vector<bool> asleep(World& world) {
  std::vector<bool> all;
  for (std::size_t i = 0; i < world.size(); ++i)
    all.push_back(world.body(static_cast<Index>(i)).is_asleep());
  return all;
}

/// Binds the structs that describe bodies and robots.
void bind_bodies(nb::module_& m) {
  nb::class_<Material>(m, "Material")
      .def(
          "__init__",
          [](Material* self, double friction, double restitution) {
            new (self) Material{friction, restitution};
          },
          "friction"_a, "restitution"_a);
  // Meshes and articulated bodies outlive the world: Python's world frees them after `remove`.
  nb::class_<SimulatedBody>(m, "SimulatedBody")
      .def_static(
          "free",
          [](const Mesh& mesh, const Matrix& pose, const MassProperties& mass,
             const Material& material) {
            return free_body(mesh, checked_pose(pose, "pose"), mass, material);
          },
          "mesh"_a, "pose"_a, "mass"_a, "material"_a)
      .def_static(
          "given",
          [](const Mesh& mesh, const Matrix& pose, const Motion* motion, double duration,
             const Material& material) {
            std::optional<TimedMotion> given;
            if (motion) given = TimedMotion{*motion, duration};
            return given_body(mesh, checked_pose(pose, "pose"), std::move(given), material);
          },
          "mesh"_a, "pose"_a, "motion"_a.none(), "duration"_a, "material"_a);
  nb::class_<RobotLink>(m, "RobotLink")
      .def(
          "__init__",
          [](RobotLink* self, const std::string& name, const Mesh& mesh, Index joint,
             const Matrix& offset) {
            new (self) RobotLink{name, &mesh, joint, checked_pose(offset, "offset")};
          },
          "name"_a, "mesh"_a, "joint"_a, "offset"_a);
  nb::class_<RobotParts>(m, "RobotParts")
      .def(
          "__init__",
          [](RobotParts* self, const std::string& name, ArticulatedBody& body,
             const std::vector<RobotLink>& links, const std::vector<bool>& tested,
             const std::vector<std::pair<Index, std::string>>& ignored,
             const ActiveChoice& choice) {
            new (self)
                RobotParts{name, &body, links, tested, {ignored.begin(), ignored.end()}, choice};
          },
          "name"_a, "body"_a, "links"_a, "tested"_a, "ignored"_a, "choice"_a);
}

/// Binds the structs that a world takes and returns.
void bind_reports(nb::module_& m) {
  nb::class_<WorldOptions>(m, "WorldOptions")
      .def(
          "__init__",
          [](WorldOptions* self, const Vector& gravity, double step, double shell, bool sleeping,
             unsigned threads) {
            new (self) WorldOptions{view(gravity), step, shell, sleeping, threads, {}};
          },
          "gravity"_a, "step"_a, "shell"_a, "sleeping"_a, "threads"_a);
  nb::class_<World::Obstacle>(m, "WorldObstacle")
      .def_ro("a", &World::Obstacle::a)
      .def_ro("b", &World::Obstacle::b)
      .def_ro("distance", &World::Obstacle::distance)
      .def_ro("least", &World::Obstacle::least);
  nb::class_<StepReport>(m, "StepReport")
      .def_ro("substeps", &StepReport::substeps)
      .def_ro("truncated", &StepReport::truncated)
      .def_ro("stopped", &StepReport::stopped)
      .def_ro("passes", &StepReport::passes)
      .def_ro("awake", &StepReport::awake)
      .def_ro("lift", &StepReport::lift)
      .def_ro("least_distance", &StepReport::least_distance);
}

}  // namespace

void bind_world(nb::module_& m) {
  bind_bodies(m);
  bind_reports(m);
  nb::class_<World>(m, "World")
      .def(nb::init<const WorldOptions&>(), "options"_a)
      .def("add", &World::add, "name"_a, "body"_a)
      .def("remove", &World::remove, "name"_a)
      .def("add_robot", &World::add_robot, "parts"_a, "material"_a)
      .def("remove_robot", &World::remove_robot, "name"_a)
      .def("read_robots", &World::read_robots)
      .def("robot_after", &robot_after, "name"_a, "q"_a, "rates"_a, "duration"_a)
      .def("index", &World::index, "name"_a)
      .def("step", &step, "recorded"_a)
      .def("poses", &body_poses)
      .def("centers", &centers)
      .def("velocities", &body_velocities)
      .def("asleep", &asleep)
      .def("contacts", &contacts)
      .def("obstacle", &obstacle)
      .def_prop_ro("is_certified", &World::is_certified)
      .def(
          "move",
          [](World& s, Index body, const Matrix& pose) {
            s.move(body, checked_pose(pose, "pose"));
          },
          "body"_a, "pose"_a)
      .def(
          "set_velocity",
          [](World& s, Index body, const Vector& velocity, const Vector& spin) {
            s.set_velocity(body, {toccata::view(velocity), toccata::view(spin)});
          },
          "body"_a, "velocity"_a, "spin"_a)
      .def(
          "apply",
          [](World& s, Index body, const Vector& force, const Vector& torque) {
            s.apply(body, toccata::view(force), toccata::view(torque));
          },
          "body"_a, "force"_a, "torque"_a)
      .def("propose", &propose, "given"_a)
      .def("shell", &World::shell, "a"_a, "b"_a)
      .def_prop_ro("least_shell", &World::least_shell)
      .def_prop_ro("time", &World::time)
      .def_prop_ro("energy", &World::energy)
      .def("state",
           [](World& s) {
             std::vector<double> numbers = s.state();
             return column(numbers);
           })
      .def(
          "restore",
          [](World& s, const Times& state, bool trusted) { s.restore(view(state), trusted); },
          "state"_a, "trusted"_a);
}

}  // namespace toccata
