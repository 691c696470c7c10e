// The table of the chain bound, held against speeds at sampled times: no point is faster, and where
// the bound is exact but for the cells of directions, it is not much too large.
#include <cmath>
#include <numbers>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/robot/chain_speed.hpp"
#include "toccata/robot/poses/link_poses.hpp"

using namespace toccata;

namespace {

Joint random_joint(testing::Random& random, Index parent, Index coordinate) {
  Joint joint;
  joint.parent = parent;
  joint.kind = static_cast<JointKind>(random.below(4));
  joint.origin = random.pose(1);
  const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
  joint.axes = {x, cross(z, x), z};
  joint.coordinate = coordinate;
  return joint;
}

/// A bound for one direction; the other lanes have others.
double bound(ChainSpeed& chains, Index frame, const Vec3d& n, double distance) {
  const Vec3f f = to_float(n);
  const Vec3p directions{Pack{f.x, f.y, f.z, -f.x, -f.y, -f.z, f.x, 1},
                         Pack{f.y, f.z, f.x, -f.y, -f.z, -f.x, f.z, 0},
                         Pack{f.z, f.x, f.y, -f.z, -f.x, -f.y, f.y, 0}};
  double found = INFINITY;
  for (int asked = 0; asked < 20 && found == INFINITY; ++asked)  // tables are made when asked often
    found = chains.speed(frame, directions, broadcast(static_cast<float>(distance)))[0];
  CHECK(std::isfinite(found));
  return found;
}

/// The speed along n of a point of a frame.
double speed(const ChainState& state, const Vec3d& point, const Vec3d& n) {
  return dot(n, state.velocity + cross(state.spin, state.pose.rotation * point));
}

void check_random_chain(testing::Random& random) {
  std::vector<Joint> joints;
  std::vector<double> start, end;
  const double rate = random.below(3) == 0 ? 20 : random.below(2) ? 2 : 0.1;
  const Index count = 1 + random.below(7);
  for (Index i = 0; i < count; ++i) {
    joints.push_back(random_joint(random, i - 1, static_cast<Index>(start.size())));
    for (Index k = coordinate_count(joints.back().kind); k > 0; --k) {
      start.push_back(random.uniform(-2, 2));
      end.push_back(start.back() + random.uniform(-rate, rate));
    }
  }
  const Robot robot(joints, {}, {});
  LinkPoses anywhere;
  anywhere.start(robot, start.data(), end.data());
  const double turn = anywhere.largest_turn();
  GridPoses poses;
  poses.start(robot, start.data(), end.data(), std::min(1.0, 1.5 / std::max(turn, 1e-9)));
  ChainSpeed chains;
  chains.start(robot, poses, turn);
  for (int k = 0; k < 200; ++k) {
    const Index frame = robot.world_frame(random.below(static_cast<int>(joints.size())));
    const Vec3d n = unit(random.point(1)), point = random.point(1);
    const ChainState& state = anywhere.at(frame, random.uniform(0, 1), 0);
    CHECK(speed(state, point, n) <= bound(chains, frame, n, norm(point)));
  }
}

/// A point 3 away from a single axis moves at 3 |n x w| at most.
void check_one_joint() {
  Joint joint;
  const Robot robot({joint}, {}, {});
  const double start = 0, end = 0.5;
  GridPoses poses;
  poses.start(robot, &start, &end, 1);
  ChainSpeed chains;
  chains.start(robot, poses, end);
  for (double polar = 0; polar < std::numbers::pi; polar += 0.01) {
    const Vec3d n{std::sin(polar) * 0.6, std::sin(polar) * 0.8, std::cos(polar)};
    const double exact = 3 * 0.5 * std::sin(polar), found = bound(chains, 0, n, 3);
    CHECK(exact <= found);
    CHECK(found <= exact + 3 * 0.5 * 0.7);  // a cell is 0.7 radians wide at most
  }
}

/// A fast joint whose axis is carried around, or a shift along it: the bound has to cover all
/// directions that the axis takes, and nothing else hides what it lacks.
void check_swept_axis(JointKind kind, double turn) {
  Joint carrier, carried;
  carried.parent = 0;
  carried.kind = kind;
  carried.axes = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
  carried.coordinate = 1;
  const Robot robot({carrier, carried}, {}, {});
  const double start[] = {0, 0}, end[] = {turn, 1e4};
  LinkPoses anywhere;
  anywhere.start(robot, start, end);
  GridPoses poses;
  poses.start(robot, start, end, std::min(1.0, 1.5 / turn));
  ChainSpeed chains;
  chains.start(robot, poses, turn);
  for (double angle = 0; angle < 2 * std::numbers::pi; angle += 0.05) {
    const Vec3d n{std::cos(angle), std::sin(angle), 0};
    double most = -INFINITY;
    for (int k = 0; k <= 2000; ++k) {
      const ChainState& state = anywhere.at(robot.world_frame(1), k / 2000.0, 0);
      // The farthest point within 1 that the spin takes along n.
      const double turned = kind == JointKind::revolute ? norm(cross(state.spin, n)) : 0;
      most = std::max(most, dot(n, state.velocity) + turned);
    }
    const double found = bound(chains, robot.world_frame(1), n, 1);
    CHECK(most <= found);
    if (turn < 1 && kind == JointKind::revolute) CHECK(found < most + 8e3);
  }
}

/// What shifts away comes no nearer.
void check_one_shift() {
  Joint joint;
  joint.kind = JointKind::prismatic;
  const Robot robot({joint}, {}, {});
  const double start = 0, end = 2;
  GridPoses poses;
  poses.start(robot, &start, &end, 1);
  ChainSpeed chains;
  chains.start(robot, poses, 0);
  CHECK(bound(chains, 0, {0, 0, 1}, 1) >= 2);
  CHECK(bound(chains, 0, {0, 0, 1}, 1) < 2.01);
  CHECK(bound(chains, 0, {0, 0, -1}, 1) >= -2);
  CHECK(bound(chains, 0, {0, 0, -1}, 1) < -1.5);  // the cell reaches 40 degrees beyond
  CHECK(bound(chains, -1, {0, 0, 1}, 1) == 0);
}

}  // namespace

int main() {
  testing::Random random(5);
  for (int i = 0; i < 400; ++i) check_random_chain(random);
  check_one_joint();
  check_one_shift();
  for (const double turn : {0.1, 0.7, 3.0, 20.0, 90.0}) {
    check_swept_axis(JointKind::revolute, turn);
    check_swept_axis(JointKind::prismatic, turn);
  }
}
