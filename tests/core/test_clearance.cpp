// The clearance of random robots, held against all triangles at many times and against first contacts.
#include <cstdlib>

#include "check.hpp"
#include "random_robots.hpp"
#include "toccata/query/articulated/clearance.hpp"

using namespace toccata;

namespace {

double distance(const Mesh& a, const Pose& at_a, const Mesh& b, const Pose& at_b) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < static_cast<Index>(a.faces().size()); ++i)
    for (Index j = 0; j < static_cast<Index>(b.faces().size()); ++j)
      least = std::min(least,
                       closest_points(at_a * a.triangle(i), at_b * b.triangle(j)).distance);
  return least;
}

/// All pairs that are tested, at one time.
double distance_at(const testing::RobotCase& c, const Robot& robot, double t) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<Pose> poses;
  for (const Link& link : c.links) poses.push_back(c.motion(robot, link.joint).pose(t));
  for (const LinkPair& pair : robot.pairs())
    least = std::min(least, distance(*c.links[pair.a].mesh, poses[pair.a], *c.links[pair.b].mesh,
                                     poses[pair.b]));
  for (std::size_t i = 0; i < c.links.size(); ++i)
    for (std::size_t j = 0; j < c.obstacles.size(); ++j)
      if (c.links[i].joint >= 0 || !c.motions[j].is_fixed())
        least = std::min(least, distance(*c.links[i].mesh, poses[i], c.obstacles[j],
                                         c.motions[j].pose(t)));
  return least;
}

Status contact_within(const testing::RobotCase& c, const Robot& robot, const World& world,
                      double separation, double tolerance) {
  RobotOptions options;
  options.options.separation = separation;
  options.options.tolerance = tolerance;
  return first_contact(robot, world, c.start.data(), c.end.data(), options).contact.status;
}

/// Whether something touches.
bool check_bounds(const testing::RobotCase& c, const ClearanceOptions& options) {
  const Robot robot = c.robot();
  const World world = c.world();
  const RobotClearance found = clearance(robot, world, c.start.data(), c.end.data(), options);
  const double rounding = 1e-12;
  CHECK(found.lower >= 0);
  if (found.upper > options.limit + options.tolerance) {
    CHECK(found.lower == options.limit);
  } else {
    CHECK(found.upper - found.lower <= options.tolerance);
    CHECK(found.lower <= found.upper);
    CHECK(std::abs(norm(found.closest.point_a - found.closest.point_b) -
                   found.closest.distance) < 1e-9);
    CHECK(distance_at(c, robot, found.time) <= found.upper);
  }
  for (int k = 0; k <= 20; ++k)
    CHECK(distance_at(c, robot, k / 20.0) >= found.lower - rounding);
  if (found.lower > 0)
    CHECK(contact_within(c, robot, world, found.lower * 0.999, 1e-4 * found.lower) == Status::free);
  return found.lower == 0;
}

/// A budget that runs out widens the bounds, and nothing else.
void little_work_gives_wide_bounds(testing::Random& random) {
  for (int i = 0; i < 40; ++i) {
    const testing::RobotCase c(random);
    const Robot robot = c.robot();
    const World world = c.world();
    ClearanceOptions options;
    options.tolerance = 1e-4;
    const RobotClearance full = clearance(robot, world, c.start.data(), c.end.data(), options);
    options.budget = 1 + random.below(60);
    const RobotClearance hasty = clearance(robot, world, c.start.data(), c.end.data(), options);
    CHECK(hasty.lower <= full.upper && full.lower <= hasty.upper);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 100;
  testing::Random random(argc > 2 ? std::atoi(argv[2]) : 21);
  int touching = 0;
  for (int i = 0; i < count; ++i) {
    ClearanceOptions options;
    options.tolerance = random.below(2) ? 1e-3 : 1e-5;
    if (random.below(3) == 0) options.limit = 0.05;
    touching += check_bounds(testing::RobotCase(random), options);
  }
  std::printf("%d of %d touch\n", touching, count);
  CHECK(count < 100 || (touching > 0.1 * count && touching < 0.9 * count));
  little_work_gives_wide_bounds(random);
}
