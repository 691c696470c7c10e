// Hulls that move apart from how they started: samples of their heights agree with the proof.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/narrow/advancement/parting.hpp"

using namespace toccata;

namespace {

constexpr double distance = 0.05;

/// Points of a body, and how they move.
struct Points {
  std::vector<Vec3d> body;
  const Motion& motion;
};

/// Heights of points over the plane across n (carrier's axes) at one time.
std::vector<double> heights(const Points& points, const Points& carrier, const Vec3d& n, double t) {
  const Pose pose = points.motion.pose(t), base = carrier.motion.pose(t);
  double top = -1e300;
  for (const Vec3d& p : carrier.body) top = std::max(top, dot(n, p));
  std::vector<double> found;
  for (const Vec3d& p : points.body)
    found.push_back(dot(n, transposed_times(base.rotation, pose * p - base.translation)) - top);
  return found;
}

/// Whether points within the distance move away from it and others stay beyond, as seen from one
/// body.
bool moves_away(const Points& points, const Points& carrier, const Vec3d& n,
                const Parting& parting) {
  constexpr int samples = 100;
  constexpr double rounding = 1e-11;
  const double until = std::min(parting.time, 1.0);
  std::vector<double> before = heights(points, carrier, n, 0);
  for (int k = 1; k <= samples; ++k) {
    const std::vector<double> now = heights(points, carrier, n, until * k / samples);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i] < std::min(before[i], distance) - rounding) return false;
    before = now;
  }
  return !parting.left || until < parting.time ||
         *std::min_element(before.begin(), before.end()) > distance - rounding;
}

/// A hull whose corners are on one side of a plane at the start, some of them close to it; and
/// points of it, in its margin too.
Hull hull_beside(testing::Random& random, const Vec3d& n, const Motion& motion) {
  const Pose start = motion.pose(0);
  Hull hull;
  hull.radius = random.below(2) ? 0 : 0.01;
  for (Vec3d& corner : hull.corner) {
    const Vec3d p = random.point(1);
    const double height = hull.radius + (random.below(2) ? random.uniform(0, 1) : 0.0);
    corner = transposed_times(start.rotation, p + n * (height - dot(n, p)) - start.translation);
  }
  return hull;
}

std::vector<Vec3d> points_of(testing::Random& random, const Hull& hull) {
  std::vector<Vec3d> points(hull.corner.begin(), hull.corner.end());
  for (const Vec3d& corner : hull.corner) {
    const Vec3d way = random.point(1);
    points.push_back(corner + way * (hull.radius / norm(way)));
  }
  return points;
}

Motion slow_or_fast(testing::Random& random) {
  const Motion motion = random.motion(1);
  return random.below(2) ? motion : motion.part({0, std::exp(random.uniform(-8, 0))});
}

struct Tally {
  int parts = 0, left = 0, lasts = 0;
};

void check_parting(testing::Random& random, Tally& tally) {
  const Vec3d way = random.point(1), n = way * (1 / norm(way));
  const Motion motion_a = slow_or_fast(random), motion_b = slow_or_fast(random);
  const CarriedHull a{hull_beside(random, n, motion_a), motion_a};
  const CarriedHull b{hull_beside(random, -n, motion_b), motion_b};
  const Parting parting = parting_along(n, a, b, {distance, -1e-9, 1e-13});
  if (!(parting.time > 0)) return;
  ++tally.parts, tally.left += parting.left, tally.lasts += parting.time > 1;
  const Points points_a{points_of(random, a.body), motion_a};
  const Points points_b{points_of(random, b.body), motion_b};
  // The top of the carrier includes its margin, which its points need not reach: height only grows.
  const auto axes = [&](const Motion& m) { return transposed_times(m.pose(0).rotation, n); };
  CHECK(moves_away(points_a, points_b, axes(motion_b), parting) ||
        moves_away(points_b, points_a, -axes(motion_a), parting));
}

}  // namespace

int main() {
  testing::Random random(21);
  Tally tally;
  for (int i = 0; i < 5000; ++i) check_parting(random, tally);
  std::printf("%d part, %d left, %d until the end\n", tally.parts, tally.left, tally.lasts);
  CHECK(tally.parts > 1000 && tally.left > 500 && tally.lasts > 100);
  CHECK(tally.left < tally.parts);
}
