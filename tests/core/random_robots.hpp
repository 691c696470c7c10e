// Random robots in random worlds, for tests of queries about them.
#pragma once

#include <vector>

#include "random_bodies.hpp"
#include "toccata/query/articulated/robot.hpp"
#include "toccata/query/articulated/world.hpp"

namespace toccata::testing {

inline Vec3d unit(const Vec3d& v) { return v * (1 / norm(v)); }

/// A robot of a few joints of all kinds, its motion, and bodies around it that stay or move.
struct RobotCase {
  std::vector<Joint> joints;
  std::vector<double> start, end;
  std::vector<Mesh> meshes;
  std::vector<Link> links;
  std::vector<Mesh> obstacles;
  std::vector<Motion> motions;

  explicit RobotCase(Random& random) {
    const int count = 1 + random.below(6);
    meshes.reserve(count + 1);
    for (int i = 0; i < count; ++i) add_joint(random);
    const double speed = random.below(2) ? 0.2 : 2;
    for (const double q : start) end.push_back(q + random.uniform(-speed, speed));
    if (random.below(3) == 0) end[0] = start[0];
    for (Index i = -1; i < count; ++i) {
      meshes.push_back(random.soup(1 + random.below(12), 0.3));
      links.push_back({&meshes.back(), i});
    }
    for (int i = random.below(3); i >= 0; --i) {
      obstacles.push_back(random.soup(1 + random.below(20), 0.5));
      motions.push_back(random.below(2) ? random.motion(3) : Motion::fixed(random.pose(3)));
    }
  }

  void add_joint(Random& random) {
    Joint joint;
    joint.parent = static_cast<Index>(random.below(static_cast<int>(joints.size()) + 1)) - 1;
    joint.kind = static_cast<JointKind>(random.below(4));
    joint.place = random.pose(1);
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = static_cast<Index>(start.size());
    const bool mimics = coordinate_count(joint.kind) == 1 && !start.empty() && random.below(4) == 0;
    if (mimics) joint.coordinate = 0, joint.factor = random.uniform(-2, 2), joint.offset = 0.3;
    if (!mimics)
      for (Index k = coordinate_count(joint.kind); k > 0; --k) start.push_back(random.uniform(-1, 1));
    joints.push_back(joint);
  }

  Motion motion(const Robot& robot, Index joint) const {
    std::vector<Twist> twists;
    for (const Index j : robot.path(robot.world_frame(joint)))
      twists.push_back(joint_motion(joints[j], start.data(), end.data()));
    return Motion(Chain::make(std::move(twists), {0, 0, 0}));
  }

  /// Links 0 and 1 are not tested against each other.
  Robot robot() const { return Robot(joints, links, {{0, 1}}); }

  World world() const {
    std::vector<const Mesh*> bodies;
    for (const Mesh& mesh : obstacles) bodies.push_back(&mesh);
    return World(bodies, motions);
  }
};

}  // namespace toccata::testing
