// Random robots in random worlds, for tests of queries about them.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "random_bodies.hpp"
#include "toccata/broad/body_set.hpp"
#include "toccata/robot/robot.hpp"

namespace toccata::testing {

inline double distance(const Mesh& a, const Pose& at_a, const Mesh& b, const Pose& at_b) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < static_cast<Index>(a.faces().size()); ++i)
    for (Index j = 0; j < static_cast<Index>(b.faces().size()); ++j)
      least = std::min(least, closest_points(at_a * a.triangle(i), at_b * b.triangle(j)).distance);
  return least;
}

/// Mostly a few triangles; sometimes enough for a deeper hierarchy, or the least mesh there is.
inline Mesh some_mesh(Random& random, int most, double size) {
  if (random.below(10) == 0)
    return Mesh(std::vector<Vec3d>{random.point(size)}, std::vector<Face>{{0, 0, 0}}, false);
  return random.soup(1 + random.below(random.below(8) ? most : 10 * most), size);
}

/// A robot of a few joints of all kinds, its motion, and bodies around it that stay or move.
struct RobotCase {
  std::vector<Joint> joints;
  std::vector<double> start, end;
  std::vector<double> powers;  // of a way along polynomials
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
    if (random.below(2)) add_powers(random, speed);
    for (Index i = -1; i < count; ++i) {
      meshes.push_back(some_mesh(random, 12, 0.3));
      links.push_back({&meshes.back(), i});
    }
    for (int i = random.below(3); i >= 0; --i) {
      obstacles.push_back(some_mesh(random, 20, 0.5));
      motions.push_back(random.below(2) ? random.motion(3) : Motion::fixed(random.pose(3)));
    }
  }

  /// Goes on in the same direction.
  void hasten(double factor) {
    for (std::size_t i = 0; i < start.size(); ++i) end[i] = start[i] + factor * (end[i] - start[i]);
  }

  void add_joint(Random& random) {
    Joint joint;
    joint.parent = static_cast<Index>(random.below(static_cast<int>(joints.size()) + 1)) - 1;
    joint.kind = static_cast<JointKind>(random.below(4));
    joint.origin = random.pose(1);
    const Vec3d z = unit(random.point(1)), x = unit(cross(z, random.point(1)));
    joint.axes = {x, cross(z, x), z};
    joint.coordinate = static_cast<Index>(start.size());
    const bool mimics = coordinate_count(joint.kind) == 1 && !start.empty() && random.below(4) == 0;
    if (mimics) joint.coordinate = 0, joint.factor = random.uniform(-2, 2), joint.offset = 0.3;
    if (!mimics)
      for (Index k = coordinate_count(joint.kind); k > 0; --k)
        start.push_back(random.uniform(-1, 1));
    joints.push_back(joint);
  }

  void add_powers(Random& random, double speed) {
    const std::size_t width = start.size();
    powers.resize(5 * width);
    const int degree = 1 + random.below(5);
    for (int k = 0; k < degree; ++k)
      for (std::size_t i = 0; i < width; ++i)
        if (random.below(6)) powers[k * width + i] = random.uniform(-2 * speed, 2 * speed);
    for (const Joint& joint : joints)
      for (int k = 0; k < 5 && joint.kind == JointKind::floating; ++k)
        std::fill_n(&powers[k * width + joint.coordinate + 3], 4, 0.0);
  }

  RobotMotion motion() const {
    return {start.data(), end.data(), powers.empty() ? nullptr : powers.data()};
  }

  Motion motion(const Robot& robot, Index joint) const {
    std::vector<Twist> twists;
    std::vector<Curve> curves;
    for (const Index j : robot.path(robot.world_frame(joint)))
      if (powers.empty()) twists.push_back(joint_motion(joints[j], start.data(), end.data()));
      else curves.push_back(joint_curve(joints[j], motion(), robot.coordinates()));
    return powers.empty() ? Motion(Chain::make(std::move(twists), {0, 0, 0}))
                          : Motion(Chain::make(std::move(curves), {0, 0, 0}));
  }

  /// Of all pairs that are tested, at one time.
  double distance(const Robot& robot, double t) const {
    double least = std::numeric_limits<double>::infinity();
    std::vector<Pose> poses;
    for (const Link& link : links) poses.push_back(motion(robot, link.joint).pose(t));
    for (const LinkPair& pair : robot.pairs())
      least = std::min(least, testing::distance(*links[pair.a].mesh, poses[pair.a],
                                                *links[pair.b].mesh, poses[pair.b]));
    for (std::size_t i = 0; i < links.size(); ++i)
      for (std::size_t j = 0; j < obstacles.size(); ++j)
        least = std::min(
            least, testing::distance(*links[i].mesh, poses[i], obstacles[j], motions[j].pose(t)));
    return least;
  }

  /// Links 0 and 1 are not tested against each other.
  Robot robot() const { return Robot(joints, links, {{0, 1}}); }

  BodySet world() const {
    std::vector<const Mesh*> bodies;
    for (const Mesh& mesh : obstacles) bodies.push_back(&mesh);
    return BodySet(bodies, motions);
  }
};

}  // namespace toccata::testing
