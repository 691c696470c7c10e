// First contact of random robots, held against all pairs of their bodies asked one by one as rigid
// bodies on chains that start from the world.
#include <cmath>
#include <cstdlib>

#include "check.hpp"
#include "robot_checks.hpp"
#include "toccata/query/robot_first_contact/prepare_options.hpp"

using namespace toccata;
using testing::Asked;
using testing::earliest;
using testing::keeps_contract;
using testing::RobotCase;

namespace {

std::shared_ptr<const IgnoredPairs> resting(const Robot& robot, const BodySet& world,
                                            const RobotOptions& options) {
  RobotOptions own = options;
  set_ignored(own, {static_cast<Index>(robot.links().size()), static_cast<Index>(world.size())},
              robot, world);
  return own.ignored;
}

/// The same elements touched last, of all pairs.
void fill(RobotCoherence& memory, const Robot& robot, const BodySet& world, Index element) {
  for (const LinkPair& pair : robot.pairs()) memory.keep({pair.a, pair.b, -1}, {element, element});
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
    for (Index j = 0; j < static_cast<Index>(world.size()); ++j)
      memory.keep({i, -1, j}, {element, element});
}

bool agree(const RobotCase& c, const Robot& robot, const BodySet& world, RobotOptions options) {
  const double more = 2 * options.options.tolerance;
  const Asked asked{c, robot, world, earliest(c, robot, options, more),
                    earliest(c, robot, options, -more)};
  const bool touches = keeps_contract(asked, options);
  // What stays and is proven apart need not be tested again.
  RobotOptions fewer = options;
  fewer.ignored = resting(robot, world, options);
  keeps_contract(asked, fewer);
  fewer.options.method = Method::adaptive;
  RobotCoherence sequence;
  keeps_contract(asked, fewer);
  for (int k = 0; k < 3; ++k) keeps_contract(asked, fewer, &sequence);
  options.options.method = Method::interval;
  for (const bool hierarchy : {true, false})
    for (const bool swept : {true, false}) {
      options.hierarchy = hierarchy, options.swept = swept;
      keeps_contract(asked, options);
    }
  if (c.motion().powers) return touches;
  options.options.method = Method::hca;
  for (const bool temporal : {false, true}) {
    options.temporal = temporal;
    keeps_contract(asked, options);
  }
  // A memory of this motion, and one of other triangles, or of none that exist.
  for (const Method method : {Method::hca, Method::automatic}) {
    options.options.method = method;
    RobotCoherence memory;
    for (int k = 0; k < 2; ++k) keeps_contract(asked, options, &memory);
    for (const Index element : {Index{0}, Index{1'000'000}}) {
      fill(memory, robot, world, element);
      keeps_contract(asked, options, &memory);
    }
  }
  return touches;
}

/// What a robot prepares for its joints changes nothing but roundings.
void motions_are_those_of_the_joints(const RobotCase& c, const Robot& robot,
                                     testing::Random& random) {
  std::vector<double> far(c.start), end(c.end);
  if (random.below(3) == 0) far[0] += 1e12, end[0] += 1e12;  // many turns
  std::vector<Twist> joints;
  robot.motions(far.data(), end.data(), joints);
  CHECK(joints.size() == c.joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Twist plain = joint_motion(c.joints[j], far.data(), end.data());
    const Vec3d x = random.point(1);
    const double t = random.uniform(0, 1);
    const double size = 1 + norm(plain.start()) + norm(plain.velocity()) + plain.spin_speed();
    CHECK(norm(joints[j].pose(t) * x - plain.pose(t) * x) <= 0x1p-46 * size);
    CHECK(norm(joints[j].spin() - plain.spin()) <= 0x1p-50 * size);
    CHECK(std::abs(joints[j].spin_speed() - plain.spin_speed()) <= 0x1p-50 * size);
    CHECK(joints[j].is_fixed() == plain.is_fixed());
  }
}

void boxes_round_outward() {
  testing::Random random(4);
  for (int i = 0; i < 10000; ++i) {
    const double size = std::ldexp(1.0, random.below(160) - 110);
    const Vec3d a = random.point(size), b = a + random.point(1e-9 * size);
    const Box box{{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
                  {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
    const Boxf f = outward(box);
    CHECK(f.lo.x < box.lo.x && f.lo.y < box.lo.y && f.lo.z < box.lo.z);
    CHECK(f.hi.x > box.hi.x && f.hi.y > box.hi.y && f.hi.z > box.hi.z);
    CHECK(f.lo.x > box.lo.x - 0x1p-21 * std::abs(box.lo.x) - 1e-37);
    CHECK(f.hi.z < box.hi.z + 0x1p-21 * std::abs(box.hi.z) + 1e-37);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 120);
  testing::Random random(testing::seed(argc, argv, 11));
  boxes_round_outward();
  int touching = 0;
  for (int i = 0; i < count; ++i) {
    RobotCase c(random);
    if (random.below(8) == 0) c.hasten(6);  // full turns
    const Robot robot = c.robot();
    const BodySet world = c.world();
    motions_are_those_of_the_joints(c, robot, random);
    RobotOptions options;
    options.options.tolerance = 1e-5;
    options.options.separation = random.below(2) ? 1e-4 : 0.05;
    if (random.below(3) == 0) {
      options.separations = testing::random_separations(random, c);
      options.options.separation = options.separations->most(static_cast<Index>(c.links.size()));
    }
    touching += agree(c, robot, world, options);
  }
  std::printf("%d of %d touch\n", touching, count);
  CHECK(count < 120 || (touching > 0.1 * count && touching < 0.95 * count));
}
