// The clearance of random robots, held against all triangles at many times and against first
// contacts.
#include <cstdlib>

#include "check.hpp"
#include "random_robots.hpp"
#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

using namespace toccata;

namespace {

Status contact_within(const testing::RobotCase& c, const Robot& robot, const BodySet& world,
                      double separation, double tolerance) {
  RobotOptions options;
  options.options.separation = separation;
  options.options.tolerance = tolerance;
  return first_contact(robot, world, c.motion(), options).contact.status;
}

/// Whether something touches.
bool check_bounds(const testing::RobotCase& c, const ClearanceOptions& options) {
  const Robot robot = c.robot();
  const BodySet world = c.world();
  const RobotClearance found = clearance(robot, world, c.motion(), options);
  const double rounding = 1e-12;
  CHECK(found.lower >= 0);
  if (found.upper > options.limit + options.tolerance) {
    CHECK(found.lower == options.limit);
  } else {
    CHECK(found.upper - found.lower <= options.tolerance);
    CHECK(found.lower <= found.upper);
    CHECK(std::abs(norm(found.closest.point_a - found.closest.point_b) - found.closest.distance) <
          1e-9);
    CHECK(c.distance(robot, found.time) <= found.upper);
  }
  for (int k = 0; k <= 20; ++k) CHECK(c.distance(robot, k / 20.0) >= found.lower - rounding);
  if (found.lower > 0)
    CHECK(contact_within(c, robot, world, found.lower * 0.999, 1e-4 * found.lower) == Status::free);
  return found.lower == 0;
}

/// A budget that runs out widens the bounds, and nothing else.
void little_work_gives_wide_bounds(testing::Random& random) {
  for (int i = 0; i < 40; ++i) {
    const testing::RobotCase c(random);
    const Robot robot = c.robot();
    const BodySet world = c.world();
    ClearanceOptions options;
    options.tolerance = 1e-4;
    const RobotClearance full = clearance(robot, world, c.motion(), options);
    options.budget = 1 + random.below(60);
    const RobotClearance hasty = clearance(robot, world, c.motion(), options);
    CHECK(hasty.lower <= full.upper && full.lower <= hasty.upper);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 100);
  testing::Random random(testing::seed(argc, argv, 21));
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
