// Simulations of random soups that collide, with the solver or with random proposals. The interval
// method finds every executed motion free of contact.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/dynamics/world/world.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

using namespace toccata;

namespace {

using testing::Random;

SimulatedBody make_body(const Mesh& mesh, const Vec3d& at, BodyKind kind) {
  SimulatedBody body{};
  body.mesh = &mesh;
  body.kind = kind;
  body.mass = kind == BodyKind::free ? mass_properties(mesh, 1)
                                     : MassProperties{1, {0, 0, 0}, identity3};
  body.state = state_at({identity3, at}, body.mass);
  return body;
}

/// Makes a soup of needles along x.
Mesh needles(Random& random) {
  const Mesh soup = random.soup(6, 0.4);
  std::vector<Vec3d> vertices(soup.vertices().begin(), soup.vertices().end());
  const double thin = random.below(2) ? 1e-6 : 1e-3;
  for (Vec3d& v : vertices) v.y *= thin, v.z *= thin;
  return Mesh(vertices, {soup.faces().begin(), soup.faces().end()}, false);
}

Motion motion_of(World& simulation, const StepRecord& record, std::size_t k) {
  const double duration = record.end[k] - record.start[k];
  return Twist{record.before[k], simulation.body(record.body[k]).mass.center,
               record.velocity[k].linear * duration, record.velocity[k].angular * duration};
}

void check_free(const Body& a, const Body& b) {
  Options options;
  options.method = Method::interval;
  options.tolerance = 1e-9;
  CHECK(first_contact(a, b, options).status == Status::free);
}

/// Checks moving bodies against the floor, which is body 0, and against the bodies of the same
/// island, which have the same substeps.
void check_free(World& simulation, const StepRecord& record) {
  const Motion rest = Motion::fixed(simulation.body(0).pose());
  for (std::size_t k = 0; k < record.body.size(); ++k) {
    const Motion a = motion_of(simulation, record, k);
    check_free({*simulation.body(record.body[k]).mesh, a}, {*simulation.body(0).mesh, rest});
    for (std::size_t l = k + 1; l < record.body.size(); ++l) {
      if (record.start[k] != record.start[l] || record.end[k] != record.end[l]) continue;
      const Motion b = motion_of(simulation, record, l);
      check_free({*simulation.body(record.body[k]).mesh, a},
                 {*simulation.body(record.body[l]).mesh, b});
    }
  }
}

/// Returns the number of substeps of which only a portion was proven.
Count check_world(Random& random, bool is_hostile, bool is_thin) {
  const Mesh ball = is_thin ? needles(random) : random.soup(12, 0.4), floor = random.soup(30, 3);
  World simulation({});
  simulation.add("floor", make_body(floor, {0, 0, -2.5}, BodyKind::fixed));
  for (int i = 0; i < 6; ++i) {
    SimulatedBody body = make_body(ball, {1.2 * (i % 2), 1.2 * (i / 2), 1.2}, BodyKind::free);
    body.state.velocity = random.point(3);
    body.state.spin = random.point(3);
    body.material.restitution = i % 2 ? 0.5 : 0;
    simulation.add("b" + std::to_string(i), body);
  }
  if (simulation.obstacle().a >= 0) return 0;
  // Fast bodies leave their regions, and come back from afar.
  const double speed = random.below(2) ? 20 : 400;
  for (int i = 0; is_hostile && i < 50; ++i)
    simulation.options().proposals.push_back({random.point(speed), random.point(20)});
  Count truncated = 0;
  for (int k = 0; k < 40; ++k) {
    StepRecord record;
    const StepReport report = simulation.step(&record);
    CHECK(report.least_distance > 0);
    check_free(simulation, record);
    truncated += report.truncated;
  }
  return truncated;
}

}  // namespace

int main(int argc, char** argv) {
  Random random(static_cast<unsigned>(testing::seed(argc, argv, 10)));
  const int cases = testing::cases(argc, argv, 60);
  Count truncated = 0;
  for (int i = 0; i < cases; ++i) truncated += check_world(random, i % 2 == 1, i % 3 == 2);
  CHECK(cases < 60 || truncated > cases);  // or no motion led into another body
}
