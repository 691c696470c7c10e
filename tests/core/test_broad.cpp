// The broad phase of robots: no link is faster than its bound, no two that come near each other are
// dropped, and neighbours in a long chain that stay apart are.
#include <cmath>
#include <cstdlib>

#include "check.hpp"
#include "random_robots.hpp"
#include "toccata/broad/robot_broad.hpp"

using namespace toccata;

namespace {

/// How much of the bound of the speed of link b of a pair, seen from what carries both, its fastest
/// corner needs at one time.
double share_of_speed(const Robot& robot, LinkPoses& poses, const LinkPair& pair, double time) {
  const Link& link = robot.links()[pair.b];
  const ChainState& state = poses.at(pair.frame_b, time, 0);
  const double bound = poses.speed(link, pair.carrier);
  double fastest = 0;
  for (const Face& face : link.mesh->faces())
    for (const Index v : face) {
      const Vec3d arm = state.pose.rotation * link.mesh->vertices()[v];
      fastest = std::max(fastest, norm(state.velocity + cross(state.spin, arm)));
    }
  CHECK(fastest <= bound + 1e-12);  // the speed itself is rounded
  return bound > 0 ? fastest / bound : 0;
}

void no_link_is_faster_than_its_bound(testing::Random& random, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const testing::RobotCase some(random);
    const Robot robot = some.robot();
    LinkPoses poses;
    poses.start(robot, some.motion());
    for (const LinkPair& pair : robot.pairs())
      largest = std::max(largest, share_of_speed(robot, poses, pair, random.uniform(0, 1)));
  }
  CHECK(largest > 0.95);  // a bound that is never reached would prove little
}

/// Checks that the box of a link's sweep contains the link at a time of the window.
void check_box(const testing::RobotCase& some, const Robot& robot, Index link, const Box& box,
               double time) {
  const Pose pose = some.motion(robot, some.links[link].joint).pose(time);
  const Mesh& mesh = *some.links[link].mesh;
  const Box outer = grown(box, 1e-11);
  Box all = outer;
  for (const Face& face : mesh.faces())
    for (const Index v : face) extend(all, pose * mesh.vertices()[v]);
  CHECK(norm1(all.lo - outer.lo) == 0 && norm1(all.hi - outer.hi) == 0);
}

void boxes_contain_their_links(testing::Random& random, int count) {
  for (int i = 0; i < count; ++i) {
    const testing::RobotCase some(random);
    const Robot robot = some.robot();
    const BodySet world;
    LinkPoses poses;
    poses.start(robot, some.motion());
    LinkDistances boxes;
    boxes.start(robot, world, poses, {0, true});
    const int windows = 1 << random.below(4), k = random.below(windows);
    const Window window{(k + 0.5) / windows, 0.5 / windows};
    for (Index link = 0; link < static_cast<Index>(some.links.size()); ++link)
      for (const double share : {-1.0, 1.0, random.uniform(-1, 1)})
        check_box(some, robot, link, boxes.in_world(link, window),
                  window.middle + share * window.half);
  }
}

/// The earliest time from which on a candidate may touch; infinite if the pair was dropped.
double earliest(std::span<const Candidate> candidates, Index pair) {
  for (const Candidate& c : candidates)
    if (c.links == pair) return c.earliest;
  return INFINITY;
}

/// How many pairs were near at some time, and how many were dropped.
struct Tally {
  int near = 0, pairs = 0, dropped = 0;
};

/// Checks that pairs within a distance at one time are candidates from then on at the latest.
void check_near(const testing::RobotCase& some, std::span<const Candidate> found, double distance,
                double time, Tally& tally) {
  const Robot robot = some.robot();
  std::vector<Pose> at;
  for (const Link& link : some.links) at.push_back(some.motion(robot, link.joint).pose(time));
  for (Index p = 0; p < static_cast<Index>(robot.pairs().size()); ++p) {
    const auto& [a, b, root, frame_a, frame_b] = robot.pairs()[p];
    const double apart = testing::distance(*some.links[a].mesh, at[a], *some.links[b].mesh, at[b]);
    const double from = earliest(found, p);
    if (apart < distance - 1e-12) CHECK(from <= time);
    tally.near += apart < distance, ++tally.pairs, tally.dropped += from == INFINITY;
  }
}

/// A large distance occurs often. A small one shows bounds that are slightly too small, because
/// boxes of both bodies are widened by the distance.
void what_comes_near_stays(testing::Random& random, int count, double distance, double share) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const testing::RobotCase some(random);
    const Robot robot = some.robot();
    LinkPoses poses;
    poses.start(robot, some.motion());
    BroadPhase broad;
    const std::span<const Candidate> found = broad.run(robot, {}, poses, {distance, true});
    for (int k = 0; k < 6; ++k)
      check_near(some, found, distance, k < 4 ? random.uniform(0, 1) : k - 4, tally);
  }
  std::printf("%d of %d pairs near, %d dropped\n", tally.near, tally.pairs, tally.dropped);
  CHECK(count < 500 || tally.near > share * tally.pairs);
  CHECK(tally.dropped > 0.2 * tally.pairs);
}

/// Links of length 1, thinner than the gaps between them, on joints that turn about z and y.
struct Snake {
  Mesh mesh{std::vector<Vec3d>{{0.1, -0.1, 0}, {0.9, 0, 0}, {0.1, 0.1, 0}},
            std::vector<Face>{{0, 1, 2}}, false};
  std::vector<Joint> joints;
  std::vector<Link> links;
  std::vector<std::pair<Index, Index>> neighbours;

  explicit Snake(Index count) {
    for (Index i = 0; i < count; ++i) {
      Joint joint;
      joint.parent = i - 1;
      joint.origin.translation = {i > 0 ? 1.0 : 0.0, 0, 0};
      if (i % 2) joint.axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
      joint.coordinate = i;
      joints.push_back(joint);
      links.push_back({&mesh, i});
      if (i > 0) neighbours.emplace_back(i - 1, i);
    }
  }
};

/// The world sees its end sweep over a dozen links, which do not move that far relative to it.
void a_long_chain_stays_off_itself() {
  constexpr Index count = 60;
  const Snake snake(count);
  const Robot robot(snake.joints, snake.links, snake.neighbours);
  const std::vector<double> start(count, 0.0), end(count, 0.03);
  LinkPoses poses;
  poses.start(robot, start.data(), end.data());
  BroadPhase broad;
  CHECK(broad.start(robot, {}, poses, {0, true}).empty());
  // A link and the next but one are 1.2 apart.
  CHECK(broad.start(robot, {}, poses, {1.3, true}).size() >= count - 2);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 1000);
  testing::Random random(testing::seed(argc, argv, 41));
  no_link_is_faster_than_its_bound(random, count);
  boxes_contain_their_links(random, count);
  what_comes_near_stays(random, count / 2, 0.3, 0.05);
  what_comes_near_stays(random, count / 2, 1e-3, 0.001);
  a_long_chain_stays_off_itself();
}
