// Random soups and motions for the tests of the core.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine_);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  Vec3d point(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Pose pose(double distance) { return {to_matrix(exp_rotation(point(2.0))), point(distance)}; }

  /// Small triangles in a ball; every tenth one is a segment or a point.
  Mesh soup(int triangles, double size) {
    std::vector<Vec3d> vertices;
    std::vector<Face> faces;
    for (Index i = 0; i < triangles; ++i) {
      const Vec3d at = point(size);
      for (int k = 0; k < 3; ++k) vertices.push_back(at + point(0.3 * size));
      faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
      if (i % 10 == 8) faces.back()[2] = 3 * i;
      if (i % 10 == 9) faces.back() = {3 * i, 3 * i, 3 * i};
    }
    return Mesh(vertices, faces, false);
  }

  /// One of all kinds of motion, from one place to another.
  Motion motion(double distance) {
    const Pose start = pose(distance), end = pose(distance);
    switch (below(6)) {
      case 0:
        return Motion::fixed(start);
      case 1:
        return Twist::linear(start, end, point(1));
      case 2:
        return Twist::screw(start, end);
      case 3:
        return Twist{start, {0, 0, 0}, point(distance), point(9)};
      case 4:
        return chain(distance);
      default:
        break;
    }
    const double times[] = {0, uniform(0.2, 0.4), uniform(0.5, 0.8), 1};
    const Pose poses[] = {start, pose(distance), pose(distance), end};
    const SplineKind kind = below(2) ? SplineKind::smooth : SplineKind::linear;
    return Motion(std::make_shared<const Spline>(times, poses, kind));
  }

  /// Up to six joints that turn, shift, do both or rest.
  Motion chain(double distance) {
    std::vector<Twist> joints;
    for (int i = 1 + below(6); i > 0; --i) {
      const Vec3d velocity = below(3) == 0 ? point(1) : Vec3d{0, 0, 0};
      const Vec3d spin = below(4) > 0 ? point(1.5) : Vec3d{0, 0, 0};
      joints.emplace_back(pose(distance / 3), Vec3d{0, 0, 0}, velocity, spin);
    }
    return Motion(Chain::make(std::move(joints), point(1)));
  }

 private:
  std::mt19937 engine_;
};

}  // namespace toccata::testing
