// Simulations of random robots among free bodies, with the solver or with random proposals. The
// interval method finds every executed motion free of contact, and saved states continue bit by
// bit.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/dynamics/world/world.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

using namespace toccata;

namespace {

using testing::Random;

struct Made {
  std::vector<Joint> joints;
  std::vector<MassProperties> masses;
  std::vector<RobotLink> links;
  Index coordinates = 0;

  /// Adds a link along z on one of the last joints. Some joints mimic the previous one.
  void add(Random& random, const std::string& name, const Mesh& mesh, bool is_first) {
    Joint joint;
    const auto n = static_cast<Index>(joints.size());
    joint.parent = is_first ? -1 : random.below(3) ? n - 1 : static_cast<Index>(random.below(n));
    joint.kind = is_first ? JointKind::floating : static_cast<JointKind>(random.below(3));
    joint.origin = {identity3, is_first ? Vec3d{0, 0, 0} : Vec3d{0.9, 0.2 * n, 0.3}};
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = coordinates;
    if (n > 1 && joint.kind == JointKind::revolute && joints[n - 1].kind == JointKind::revolute &&
        joints[n - 1].factor == 1 && random.below(2)) {
      joint.coordinate = joints[n - 1].coordinate, joint.factor = -0.5, joint.offset = 0.1;
    } else {
      coordinates += coordinate_count(joint.kind);
    }
    joints.push_back(joint);
    masses.push_back({1, {0, 0, 0}, identity3 * 0.05});
    links.push_back({name, &mesh, n, {}});
  }
};

/// Returns the tested pairs: all but adjacent links.
std::vector<bool> tested(const Made& made) {
  const auto n = static_cast<Index>(made.links.size());
  std::vector<bool> all;
  for (Index a = 0; a < n; ++a)
    for (Index b = 0; b < n; ++b)
      all.push_back(a != b && made.joints[a].parent != b && made.joints[b].parent != a);
  return all;
}

struct Executed {
  Index body;
  double start, end;
  Motion motion;
};

std::vector<Executed> motions_of(World& simulation, const StepRecord& record,
                                 std::vector<LinkMotions>& kept) {
  std::vector<Executed> all;
  for (std::size_t k = 0; k < record.body.size(); ++k) {
    const double duration = record.end[k] - record.start[k];
    all.push_back(
        {record.body[k], record.start[k], record.end[k],
         Twist{record.before[k], simulation.body(record.body[k]).mass.center,
               record.velocity[k].linear * duration, record.velocity[k].angular * duration}});
  }
  kept.assign(record.robots.size(), {});
  for (std::size_t r = 0; r < record.robots.size(); ++r) {
    const RobotRecord& done = record.robots[r];
    for (const SimulatedRobot& robot : simulation.robots()) {
      if (robot.name != done.name) continue;
      kept[r].start(robot.tree, done.before.data(), done.rates.data(), done.end - done.start);
      for (std::size_t i = 0; i < robot.bodies.size(); ++i)
        all.push_back(
            {robot.bodies[i], done.start, done.end, kept[r].motion(static_cast<Index>(i))});
    }
  }
  return all;
}

bool are_tested(World& simulation, Index i, Index j) {
  const SimulatedBody &a = simulation.body(i), &b = simulation.body(j);
  return a.robot < 0 || a.robot != b.robot || simulation.robots()[a.robot].tests(a.link, b.link);
}

/// Checks all motions of a step against each other, and against the floor.
void check_free(World& simulation, const StepRecord& record) {
  std::vector<LinkMotions> kept;
  std::vector<Executed> all = motions_of(simulation, record, kept);
  const Index floor = simulation.index("floor");
  for (std::size_t k = all.size(); k > 0; --k)
    all.push_back(
        {floor, all[k - 1].start, all[k - 1].end, Motion::fixed(simulation.body(floor).pose())});
  for (const Executed& a : all)
    for (const Executed& b : all) {
      if (a.body >= b.body || a.start != b.start || a.end != b.end) continue;
      if (!are_tested(simulation, a.body, b.body)) continue;
      Options options;
      options.method = Method::interval;
      options.tolerance = 1e-9;
      const Contact found = first_contact({*simulation.body(a.body).mesh, a.motion},
                                          {*simulation.body(b.body).mesh, b.motion}, options);
      CHECK(found.status == Status::free);
    }
}

void check_world(Random& random, bool is_hostile, Activity activity) {
  const Mesh soup = random.soup(10, 0.3), floor = random.soup(30, 3);
  World simulation({});
  std::vector<Made> made(2);
  std::vector<ArticulatedBody> bodies;
  for (std::size_t r = 0; r < made.size(); ++r) {
    for (int i = 0; i < 4; ++i)
      made[r].add(random, "r" + std::to_string(r) + "/" + std::to_string(i), soup, i == 0);
    bodies.emplace_back(made[r].joints, made[r].masses, ArticulatedSettings{});
  }
  for (std::size_t r = 0; r < made.size(); ++r) {
    std::vector<double> q(bodies[r].q().begin(), bodies[r].q().end());
    std::vector<double> v(bodies[r].v().begin(), bodies[r].v().end());
    q[2] = 2 + 2.5 * static_cast<double>(r);
    for (double& rate : v) rate = random.uniform(-3, 3);
    bodies[r].set(q, v);
    simulation.add_robot(
        {"r" + std::to_string(r), &bodies[r], made[r].links, tested(made[r]), {}, {activity, 1, 0}},
        {0.5, r ? 0.5 : 0.0});
  }
  SimulatedBody ground{};
  ground.mesh = &floor, ground.kind = BodyKind::fixed;
  ground.mass = {1, {0, 0, 0}, identity3};
  ground.state = state_at({identity3, {0, 0, -2.5}}, ground.mass);
  simulation.add("floor", ground);
  // Bodies that turn fast beside links.
  for (int i = 0; i < 2; ++i) {
    SimulatedBody body{};
    body.mesh = &soup, body.mass = mass_properties(soup, 1);
    body.state = state_at({identity3, {2.0 * i, 1.2, 3.0}}, body.mass);
    body.state.spin = random.point(60);
    simulation.add("b" + std::to_string(i), body);
  }
  if (simulation.obstacle().a >= 0) return;
  for (int i = 0; is_hostile && i < 50; ++i)
    simulation.options().proposals.push_back({random.point(20), random.point(20)});
  std::vector<double> state;
  for (int k = 0; k < 40; ++k) {
    if (k == 20) state = simulation.state();
    StepRecord record;
    const StepReport report = simulation.step(&record);
    CHECK(report.least_distance > 0);
    check_free(simulation, record);
  }
  const std::vector<double> end = simulation.state();
  if (!is_hostile) {  // hostile proposals would continue at another one
    simulation.restore(state, true);
    for (int k = 0; k < 20; ++k) simulation.step();
    CHECK(simulation.state() == end);
  }
  simulation.remove_robot("r0");
  CHECK(simulation.size() == 7 && simulation.robots().size() == 1);
  for (int k = 0; k < 5; ++k) CHECK(simulation.step().least_distance > 0);
}

}  // namespace

int main(int argc, char** argv) {
  Random random(static_cast<unsigned>(testing::seed(argc, argv, 10)));
  const int cases = testing::cases(argc, argv, 24);
  for (int i = 0; i < cases; ++i)
    check_world(random, i % 2 == 1, i % 3 == 2 ? Activity::chosen : Activity::all);
}
