// Random soups moved by hand towards random targets or by random proposals. The interval method
// finds every executed motion free of contact.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/dynamics/hand/manipulator.hpp"
#include "toccata/motion/recipe.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

using namespace toccata;

namespace {

using testing::Random;

Matrix4 matrix(const Pose& pose) {
  Matrix4 result;
  write_pose(pose, result.data());
  return result;
}

/// Checks a motion of a path by the interval method.
void check_free(const Mesh& body, const BodySet& world, const CertifiedMotion& certified) {
  CHECK(certified.separation > 0);
  const Motion motion = make_motion(MotionKind::linear, certified.numbers);
  Options options;
  options.method = Method::interval;
  options.separation = certified.separation / 2;
  options.tolerance = certified.separation / 4;
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    const Motion other = world.body(i).motion.part(certified.window);
    CHECK(first_contact({body, motion}, {world.body(i).mesh, other}, options).status ==
          Status::free);
  }
}

/// Moves a body, with or without momentum, in a world that is fixed or has a moving body.
void check_hand(Random& random, bool is_hostile) {
  const Mesh body = random.soup(20, 0.5), one = random.soup(40, 1), two = random.soup(10, 2);
  const Motion turning(Twist{{}, {0, 0, 0}, random.point(1), random.point(2)});
  const bool moves = random.below(2) == 1;
  const BodySet world({&one, &two}, {Motion::fixed({}), moves ? turning : Motion::fixed({})});
  const Momentum momentum{1, random.below(2) ? 10.0 : 0.0};
  Manipulator hand(body, world, matrix({identity3, {20, 0, 0}}), 0, momentum);
  CHECK(hand.obstacle().body < 0);
  const Matrix4 start = hand.pose();
  int substeps = 0;
  for (int k = 0; k < 12; ++k) {
    std::vector<Displacement> given;
    for (int i = 0; is_hostile && k > 2 && i < 8; ++i)
      given.push_back({random.point(0.5), random.point(0.5)});
    const double time = k < 2 ? 0 : std::min(1.0, hand.time() + random.uniform(0, 0.2));
    substeps += hand.move({matrix(random.pose(1)), time, random.uniform(0, 1)}, 8, given).substeps;
    hand.contacts();
  }
  CHECK(substeps > 0 && hand.path().size() == static_cast<std::size_t>(substeps));
  for (const CertifiedMotion& motion : hand.path()) check_free(body, world, motion);
  hand.undo(hand.moves());
  CHECK(hand.pose() == start && hand.path().empty());
}

}  // namespace

int main(int argc, char** argv) {
  Random random(static_cast<unsigned>(testing::seed(argc, argv, 10)));
  const int cases = testing::cases(argc, argv, 20);
  for (int i = 0; i < cases; ++i) check_hand(random, i % 2 == 1);
}
