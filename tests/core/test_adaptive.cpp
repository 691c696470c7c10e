// Robots of which some joints move: rigid groups are where products of all joints put them, frames
// are those of all joints, and sequences of motions keep the contract while groups come and go.
#include <algorithm>
#include <cmath>
#include <vector>

#include "robot_checks.hpp"
#include "toccata/robot/assembly_transforms.hpp"
#include "toccata/robot/poses/link_poses.hpp"

using namespace toccata;

namespace {

using testing::Asked;
using testing::Random;
using testing::RobotCase;

/// From a chain (0) to a tree of which every joint hangs anywhere (1); all kinds of joints.
std::vector<Joint> some_joints(Random& random, Index count, double branching) {
  std::vector<Joint> joints(count);
  Index coordinate = 0;
  for (Index j = 0; j < count; ++j) {
    Joint& joint = joints[j];
    joint.parent = random.uniform(0, 1) < branching ? random.below(j + 1) - 1 : j - 1;
    joint.kind = static_cast<JointKind>(random.below(8) ? 0 : random.below(4));
    joint.origin = random.pose(1);
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = coordinate;
    const bool mimics = joint.kind == JointKind::revolute && j > 0 && random.below(10) == 0;
    if (mimics) joint.coordinate = joints[0].coordinate, joint.factor = 0.5;
    else coordinate += coordinate_count(joint.kind);
  }
  return joints;
}

/// Some joints move from where they are, some stand elsewhere than before, most stay.
void take_step(Random& random, const std::vector<Joint>& joints, std::vector<double>& start,
               std::vector<double>& end) {
  start = end;
  const int seldom = 1 + random.below(20);
  for (const Joint& joint : joints) {
    if (random.below(seldom)) continue;
    const bool moves = random.below(3);
    for (Index k = 0; k < coordinate_count(joint.kind); ++k) {
      const Index i = joint.coordinate + k;
      end[i] += random.uniform(-0.5, 0.5);
      if (!moves) start[i] = end[i];
    }
  }
}

double difference(const Pose& a, const Pose& b) {
  const auto most = [](const Vec3d& u, const Vec3d& v) { return norm(u - v); };
  return std::max({most(a.translation, b.translation), most(a.rotation.x, b.rotation.x),
                   most(a.rotation.y, b.rotation.y), most(a.rotation.z, b.rotation.z)});
}

Pose product(const Pose& a, const Pose& b) { return {a.rotation * b.rotation, a * b.translation}; }

/// The carrier of each frame and its pose in that, from joint to joint.
void check_seats(const Robot& robot, RigidGroups& groups, const std::vector<double>& start,
                 const std::vector<double>& end) {
  AssemblyWork work;
  groups.start(robot, RobotMotion{start.data(), end.data()}, work);
  std::vector<Index> carriers;
  std::vector<Pose> poses;
  for (Index j = 0; j < static_cast<Index>(robot.joints().size()); ++j) {
    const Joint& joint = robot.joints()[j];
    bool moves = false;
    for (Index k = 0; k < coordinate_count(joint.kind); ++k)
      moves |= start[joint.coordinate + k] != end[joint.coordinate + k];
    CHECK(groups.is_active(j) == moves);
    const Pose parent = joint.parent < 0 ? Pose{} : poses[joint.parent];
    const Pose own = joint_motion(joint, start.data(), start.data()).pose(0);
    carriers.push_back(moves ? j : joint.parent < 0 ? -1 : carriers[joint.parent]);
    poses.push_back(moves ? Pose{} : product(parent, own));
    const Seat& seat = groups.seat(j, work);
    CHECK(seat.carrier == carriers[j]);
    CHECK(difference(seat.pose, poses[j]) <= 1e-12 * (1 + seat.length));
    CHECK((seat.joints == 0) == moves);
  }
}

/// BodySet frames during a motion are those of a walk over all joints.
void check_frames(const Robot& robot, RigidGroups& groups, const std::vector<double>& start,
                  const std::vector<double>& end, Random& random) {
  const RobotMotion motion{start.data(), end.data()};
  LinkPoses all, reduced;
  all.start(robot, motion);
  reduced.start(robot, motion, false, &groups);
  const double t = random.uniform(0, 1);
  for (int k = 0; k < 40; ++k) {
    const Index j = random.below(static_cast<int>(robot.joints().size()));
    const ChainState a = all.at(all.world_frame(j), t, 0.1);
    const ChainState b = reduced.at(reduced.world_frame(j), t, 0.1);
    const double size = all.sums(j).speed_bound(1).far;
    CHECK(difference(a.pose, b.pose) <= 1e-12 * size);
    CHECK(norm(a.velocity - b.velocity) <= 1e-11 * size * (1 + all.sums(j).turn()));
    CHECK(norm(a.spin - b.spin) <= 1e-11 * (1 + all.sums(j).turn()));
    const double speed = reduced.sums(j).speed(1, reduced.sums(-1));
    CHECK(std::abs(speed - all.sums(j).speed(1, all.sums(-1))) <= 1e-9 * (1 + speed));
  }
}

bool contains(const IntervalPose& all, const Pose& one, double slack) {
  const auto has = [&](const Vec3i& x, const Vec3d& p) {
    return x.x.lo - slack <= p.x && p.x <= x.x.hi + slack && x.y.lo - slack <= p.y &&
           p.y <= x.y.hi + slack && x.z.lo - slack <= p.z && p.z <= x.z.hi + slack;
  };
  return has(all.translation, one.translation) && has(all.rotation.x, one.rotation.x) &&
         has(all.rotation.y, one.rotation.y) && has(all.rotation.z, one.rotation.z);
}

/// In the tree: transforms at a time are products of all joints, and enclosures over a window hold
/// at all its times.
void check_transforms(const Robot& robot, RigidGroups& groups, const std::vector<double>& start,
                      const std::vector<double>& end, Random& random) {
  const RobotMotion motion{start.data(), end.data()};
  const Window at{random.uniform(0.2, 0.8), random.uniform(0, 0.2)};
  AssemblyTransforms<PlacedFrame> placed;
  AssemblyTransforms<BoundedFrame> bounded;
  AssemblyTransforms<EnclosedFrame> enclosed;
  placed.start(robot, motion, groups, at);
  bounded.start(robot, motion, groups, at);
  enclosed.start(robot, motion, groups, at);
  LinkPoses all;
  all.start(robot, motion);
  const double t = at.middle + random.uniform(-1, 1) * at.half;
  for (int k = 0; k < 20; ++k) {
    const Index j = random.below(static_cast<int>(robot.joints().size()));
    const double size = all.sums(j).speed_bound(1).far;
    const Pose middle = all.pose(all.world_frame(j), at.middle);
    CHECK(difference(placed.world(j).pose, middle) <= 1e-12 * size);
    const ChainState& c = bounded.world(j).state;
    CHECK(difference(c.pose, middle) <= 1e-12 * size);
    // To first order, with the rest within the bounds.
    const ChainState now = all.at(all.world_frame(j), t, 0);
    const double way = std::abs(t - at.middle);
    const Vec3d moved = now.pose.translation - middle.translation - c.velocity * (t - at.middle);
    CHECK(norm(moved) <= c.most_acceleration * way * way / 2 + 1e-11 * size);
    CHECK(norm(now.spin - c.spin) <= c.most_spin_rate * way + 1e-10 * size);
    CHECK(norm(now.spin) <= c.most_spin + 1e-10 * size);
    CHECK(contains(enclosed.world(j).pose, now.pose, 1e-13 * size));
  }
  if (robot.joints().size() >= 1000 && groups.active().size() < 60)
    CHECK(placed.work.products <= 40 * (groups.active().size() + 20) && placed.work.products > 0);
}

void groups_are_where_joints_put_them(Random& random, Index count, double branching, int steps) {
  const std::vector<Joint> joints = some_joints(random, count, branching);
  const Robot robot(joints, {}, {});
  std::vector<double> start, end(robot.coordinates());
  for (double& q : end) q = random.uniform(-1, 1);
  RigidGroups groups;
  for (int k = 0; k < steps; ++k) {
    take_step(random, joints, start, end);
    check_seats(robot, groups, start, end);
    check_frames(robot, groups, start, end, random);
    check_transforms(robot, groups, start, end, random);
  }
}

/// What is done again after a step in which few joints move hangs on them, not on all.
void work_follows_active_joints() {
  constexpr Index count = 1000;
  std::vector<Joint> joints(count);
  for (Index j = 0; j < count; ++j)
    joints[j].parent = j - 1, joints[j].coordinate = j, joints[j].origin.translation = {0.1, 0, 0};
  const Robot robot(joints, {}, {});
  std::vector<double> start(count, 0.01), end(count, 0.01);
  RigidGroups groups;
  AssemblyWork first, second, third;
  groups.start(robot, RobotMotion{start.data(), end.data()}, first);
  CHECK(first.nodes_updated == count);
  for (const Index j : {3, 500, 999}) end[j] += 0.1;
  groups.start(robot, RobotMotion{start.data(), end.data()}, second);
  CHECK(second.nodes_updated <= 3 * 11 && second.products <= 3 * 33);
  std::swap(start, end);
  groups.start(robot, RobotMotion{start.data(), end.data()}, third);
  CHECK(third.nodes_updated == 0 && third.products == 0);
}

/// A robot with many joints, and then one with few, most of whose frames have no links: nothing of
/// the first is left.
void frames_without_links_are_empty(Random& random) {
  const Mesh mesh = random.soup(3, 0.01);
  for (const Index count : {40, 6, 3}) {
    std::vector<Joint> joints(count);
    for (Index j = 0; j < count; ++j)
      joints[j].parent = j - 1, joints[j].coordinate = j,
      joints[j].origin.translation = {0.1, 0, 0};
    std::vector<Link> links{{&mesh, -1}};
    for (Index j = 0; j < count; ++j)
      if (count == 40 || j == count - 1) links.push_back({&mesh, j});
    const Robot robot(joints, links, {});
    RobotOptions options;
    options.options.method = Method::adaptive;
    RobotCoherence memory;
    std::vector<double> start(count, 0.0), end(count, 0.0);
    for (const Index joint : {count - 1, 0, count - 1, count - 1, count - 1}) {
      start = end;
      end[joint] += 1e-3;
      const RobotMotion motion{start.data(), end.data()};
      CHECK(first_contact(robot, {}, motion, options, &memory).contact.status == Status::free);
    }
  }
}

/// The coordinates that move in the motions of a sequence.
enum class Moving { any, same, one };

/// Motions in a row by one memory. The robot jumps between some of them. If the same coordinate
/// moves in all motions, the front of the last motion is kept. If one coordinate moves in each,
/// links that rest relative to each other have moved before.
int sequences_keep_the_contract(Random& random, Moving moving) {
  RobotCase c(random);
  c.powers.clear();
  const int width = static_cast<int>(c.start.size());
  if (moving != Moving::any)
    for (Motion& motion : c.motions) motion = Motion::fixed(random.pose(1.5));
  const Robot robot = c.robot();
  const BodySet world = c.world();
  RobotOptions options;
  options.options.method = Method::adaptive;
  options.enclosures = static_cast<Enclosures>(random.below(3));
  options.intervals = random.below(3) == 0;
  options.options.tolerance = 1e-5;
  options.options.separation = random.below(2) ? 1e-4 : 0.05;
  if (random.below(3) == 0) {
    options.separations = testing::random_separations(random, c);
    options.options.separation = options.separations->most(static_cast<Index>(c.links.size()));
  }
  const double more = 2 * options.options.tolerance;
  const double size = (random.below(2) ? 0.02 : 0.3) * (moving == Moving::any ? 1 : 5);
  int chosen = random.below(width);
  RobotCoherence memory;
  c.end = c.start;
  int touching = 0;
  for (int k = 0; k < 8; ++k) {
    if (random.below(3)) c.start = c.end;  // otherwise from where it was before
    else if (moving == Moving::same) c.start[chosen] += random.uniform(-2, 2);
    else if (random.below(2)) c.start[0] += random.uniform(-0.1, 0.1);
    c.end = c.start;
    if (moving == Moving::one) chosen = random.below(width);
    for (int i = 0; i < width; ++i)
      if (moving == Moving::any ? random.below(2) : i == chosen)
        c.end[i] += random.uniform(-size, size);
    const Asked asked{c, robot, world, testing::earliest(c, robot, options, more),
                      testing::earliest(c, robot, options, -more)};
    touching += testing::keeps_contract(asked, options, &memory);
  }
  return touching;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 200);
  Random random(testing::seed(argc, argv, 12));
  work_follows_active_joints();
  frames_without_links_are_empty(random);
  for (int i = 0; i < count / 4; ++i)
    groups_are_where_joints_put_them(random, 1 + random.below(60),
                                     random.below(3) ? random.uniform(0, 1) : 0, 6);
  for (const double branching : {0.0, 0.3})
    groups_are_where_joints_put_them(random, 1000, branching, 4);
  for (const Moving moving : {Moving::any, Moving::same, Moving::one}) {
    int touching = 0;
    for (int i = 0; i < count; ++i) touching += sequences_keep_the_contract(random, moving);
    std::printf("%d of %d touch\n", touching, 8 * count);
    CHECK(count < 200 || (touching > 0.05 * 8 * count && touching < 0.95 * 8 * count));
  }
}
