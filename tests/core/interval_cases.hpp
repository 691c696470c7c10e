// Cases for the tests of method="interval", and their judge: brute force over all triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/first_contact/methods.hpp"

namespace toccata::testing {

inline Vec3d direction(Random& random) {
  for (;;) {
    const Vec3d v = random.point(1);
    if (norm(v) > 0.1) return v * (1 / norm(v));
  }
}

/// Vertex 7 is the corner with all coordinates positive.
inline Mesh box(double x, double y, double z) {
  std::vector<Vec3d> v;
  for (int i = 0; i < 8; ++i) v.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  const std::vector<Face> f{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return Mesh(v, f, false);
}

inline Mesh tetrahedron() {
  return Mesh(std::vector<Vec3d>{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
              std::vector<Face>{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}, false);
}

inline Motion sliding(const Vec3d& from, const Vec3d& to) {
  return Twist::linear({identity3, from}, {identity3, to}, {0, 0, 0});
}

/// Violent pieces before a rest: bounds for the later part do not hold for the earlier one.
inline Motion braking(Random& random, double distance) {
  const double knot = random.uniform(0.2, 0.8);
  const double times[] = {0, knot, knot + 0.05, knot + 0.1, 1};
  const Pose end = random.pose(distance);
  const Pose poses[] = {random.pose(distance), random.pose(distance), end, end, end};
  return Motion(std::make_shared<const Spline>(times, poses));
}

struct Case {
  const Mesh& a;
  const Mesh& b;
  Motion motion_a, motion_b;

  MovingPair pair(const Options& options) const { return {{a, motion_a}, {b, motion_b}, options}; }

  double distance(double t) const {
    const Pose pose_a = motion_a.pose(t), pose_b = motion_b.pose(t);
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < static_cast<Index>(a.faces().size()); ++i)
      for (Index j = 0; j < static_cast<Index>(b.faces().size()); ++j)
        least = std::min(least,
                         closest_points(pose_a * a.triangle(i), pose_b * b.triangle(j)).distance);
    return least;
  }
};

inline Contact ask(const Case& c, const Options& options, Coherence* coherence = nullptr) {
  return interval(c.pair(options), 0, coherence);
}

/// Up to where the answer calls the motion free.
inline double free_until(const Contact& contact) {
  return contact.status == Status::free ? 1 : contact.toc;
}

constexpr double rounding = 1e-12;

/// Holds an answer against the contract, with `samples` over the time that it calls free.
inline void check_contract(const Case& c, const Options& o, const Contact& contact, int samples) {
  const double end = free_until(contact);
  CHECK(contact.safe_until == end && end >= 0 && end <= 1);
  for (int k = 0; k < samples; ++k) CHECK(c.distance(end * k / samples) > o.separation - rounding);
  if (contact.status == Status::free) CHECK(c.distance(1) > o.separation - rounding);
  if (contact.status != Status::contact) return;
  const Closest& closest = contact.closest;
  CHECK(c.distance(end) <= o.separation + o.tolerance);
  CHECK(closest.distance <= o.separation + o.tolerance);
  CHECK(std::abs(closest.distance - norm(closest.point_a - closest.point_b)) < rounding);
  const Triangle a = c.motion_a.pose(end) * c.a.triangle(contact.element_a);
  const Triangle b = c.motion_b.pose(end) * c.b.triangle(contact.element_b);
  CHECK(norm(closest_point(a, closest.point_a) - closest.point_a) < rounding);
  CHECK(norm(closest_point(b, closest.point_b) - closest.point_b) < rounding);
}

/// What one answer calls free must not be contact, even if the other answer stops before.
inline void check_agreement(const Case& c, const Options& o, const Contact& s, const Contact& t) {
  const double lo = std::min(free_until(s), free_until(t));
  const double hi = std::max(free_until(s), free_until(t));
  for (int k = 0; k < 20 && lo < hi; ++k)
    CHECK(c.distance(lo + (hi - lo) * k / 20) > o.separation - rounding);
}

}  // namespace toccata::testing
