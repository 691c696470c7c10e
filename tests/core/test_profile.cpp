// What is proven clear by its profile about an axis never comes within the separation.
#include <numbers>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/walk/profile.hpp"

using namespace toccata;

namespace {

constexpr Vec3d up{0, 0, 1};

/// Small triangles about the z axis, all points between two distances from it, if they are small
/// enough; some are flat and stand along the axis, as the faces of a cylinder do.
Mesh ring(testing::Random& random, double near, double far) {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  for (Index i = 0; i < 16; ++i) {
    const double angle = random.uniform(0, 6.28), height = random.uniform(-1, 1);
    for (int k = 0; k < 3; ++k) {
      const double turned = angle + random.uniform(-0.05, 0.05), r = random.uniform(near, far);
      vertices.push_back(
          {r * std::cos(turned), r * std::sin(turned), height + random.uniform(-0.2, 0.2)});
    }
    faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Mesh(vertices, faces, false);
}

double distance_at(const Body& a, const Body& b, double t) {
  double least = 1e300;
  const Pose pose_a = a.motion.pose(t), pose_b = b.motion.pose(t);
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j)
      least = std::min(
          least, closest_points(pose_a * a.mesh.triangle(i), pose_b * b.mesh.triangle(j)).distance);
  return least;
}

/// Turns about z and moves along it, and a little to the side and about other axes.
Motion about_z(testing::Random& random, const Pose& place, double wobble) {
  const double spin = random.below(3) ? random.uniform(-9, 9) : 0;
  const Vec3d drift = random.point(wobble) + up * random.uniform(-1, 1);
  const Vec3d start = random.point(wobble);
  const Vec3d tilt = random.below(2) && spin != 0 ? random.point(wobble) : Vec3d{0, 0, 0};
  const Mat3d& r = place.rotation;
  return Twist{{r, place * start}, {0, 0, 0}, r * drift, r * (up * spin + tilt)};
}

/// Returns whether there is a proof.
bool one_case(testing::Random& random) {
  const double wobble = random.below(2) ? 0 : std::pow(10, -random.uniform(1.5, 4));
  const double edge = 0.9 * std::cos(0.05), gap = random.uniform(-0.02, 0.04);
  const Mesh inner = ring(random, 0.5, edge - gap), outer = ring(random, 0.9, 1.1);
  const Pose place = random.pose(2);
  const Motion one = about_z(random, place, wobble);
  const Motion other = random.below(2) ? Motion::fixed(place) : about_z(random, place, wobble);
  const bool swap = random.below(2);
  const Body a{swap ? outer : inner, one}, b{swap ? inner : outer, other};
  Options options;
  options.separation = random.below(2) ? 0 : 0.01;
  if (!clear_by_profile(MovingPair(a, b, options))) return false;
  for (int k = 0; k <= 20; ++k) CHECK(distance_at(a, b, k / 20.0) > options.separation);
  return true;
}

/// A prism about the z axis without caps, its corners on the radius.
Mesh prism(double radius, double half_length, Index sides) {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  for (Index i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (const double z : {-half_length, half_length})
      vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    const Index low = 2 * i, next = 2 * ((i + 1) % sides);
    faces.push_back({low, low + 1, next + 1});
    faces.push_back({low, next + 1, next});
  }
  return Mesh(vertices, faces, false);
}

/// One that turns in another, whose facets come nearest to its corners. There is no proof if the
/// other tilts, or for a larger separation than there is room for.
void check_prisms() {
  constexpr Index sides = 24;
  const double gap = 0.01, outer_radius = (1 + gap) / std::cos(std::numbers::pi / sides);
  const Mesh inner = prism(1, 1, sides), outer = prism(outer_radius, 1, sides);
  const auto clear = [&](double separation, double tilt) {
    const Motion turns = Twist{{}, {0, 0, 0}, {0, 0, 0}, up * 3};
    const Motion tilts = Twist{{}, {0, 0, 0}, {0, 0, 0}, {tilt, 0, 0}};
    Options options;
    options.separation = separation;
    return clear_by_profile(MovingPair({inner, turns}, {outer, tilts}, options));
  };
  CHECK(clear(0, 0) && clear(0.999 * gap, 0));
  CHECK(!clear(1.001 * gap, 0));
  // Ends of length 1 get off the axis by the angle.
  CHECK(clear(0, 0.1 * gap) && !clear(0, 2 * gap));
}

/// One of many faces reaches the outer prism. No sample of faces includes it.
void check_spike() {
  const Mesh smooth = prism(1, 1, 200), outer = prism(1.1, 1, 200);
  const Motion turns = Twist{{}, {0, 0, 0}, {0, 0, 0}, up * 3}, rest = Motion::fixed({});
  for (const double tip : {1.05, 1.15}) {
    std::vector<Vec3d> vertices(smooth.vertices().begin(), smooth.vertices().end());
    std::vector<Face> faces(smooth.faces().begin(), smooth.faces().end());
    const auto next = static_cast<Index>(vertices.size());
    vertices.push_back({tip, 0, 0});
    faces.insert(faces.begin() + 5, {0, 1, next});
    const Mesh inner(vertices, faces, false);
    CHECK(clear_by_profile(MovingPair({inner, turns}, {outer, rest}, {})) == (tip < 1.1));
  }
}

}  // namespace

int main() {
  check_prisms();
  check_spike();
  testing::Random random(4);
  int clear = 0;
  constexpr int cases = 250;
  for (int i = 0; i < cases; ++i) clear += one_case(random);
  // Both must occur in the sample.
  std::printf("%d of %d clear\n", clear, cases);
  CHECK(clear > 0.2 * cases && clear < 0.8 * cases);
  // Motions of other kinds have no axis.
  for (int i = 0; i < 20; ++i) {
    const Mesh inner = ring(random, 0.5, 0.6), outer = ring(random, 0.9, 1.1);
    const Motion chain = random.chain(0.3), rest = Motion::fixed({});
    CHECK(!clear_by_profile(MovingPair({inner, chain}, {outer, rest}, {})));
  }
}
