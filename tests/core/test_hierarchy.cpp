// Volumes contain what is below them; every triangle is in the hierarchy once.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/bvh/cut.hpp"
#include "toccata/bvh/volume.hpp"

using namespace toccata;

namespace {

bool inside(const Volume& v, const Vec3d& p) {
  const Vec3d d = p - to_double(v.center);
  const Vec3d x = to_double(v.axes.x), y = to_double(v.axes.y), z = to_double(v.axes.z);
  const auto rest = [&](const Vec3d& axis, double half) {
    const double s = dot(d, axis);
    return std::max(std::abs(s) - half, 0.0);
  };
  const double rx = rest(x, v.half.x), ry = rest(y, v.half.y), rz = rest(z, v.half.z);
  return std::sqrt(rx * rx + ry * ry + rz * rz) <= v.radius;
}

struct Walk {
  const Mesh& mesh;
  std::vector<int> seen;

  /// Checks the volumes of `ref` against all triangles below and returns those.
  std::vector<Index> below(NodeRef ref) {
    const Index child = mesh.bvh().child(ref);
    std::vector<Index> triangles;
    if (is_leaf(child)) {
      ++seen[element(child)];
      triangles.push_back(element(child));
    } else {
      const unsigned used = mesh.bvh().nodes[child].used;
      CHECK(used != 0);
      for (int lane = 0; lane < lanes; ++lane) {
        if (!(used >> lane & 1)) continue;
        const auto more = below({child, lane});
        triangles.insert(triangles.end(), more.begin(), more.end());
      }
    }
    const WideNode& node = mesh.bvh().nodes[ref.node()];
    for (const Index i : triangles)
      for (const Vec3d& corner : mesh.triangle(i).corner) {
        const Vec3d p = corner - mesh.center();
        CHECK(inside(volume<VolumeKind::box>(node, ref.lane()), p));
        CHECK(inside(volume<VolumeKind::swept>(node, ref.lane()), p));
        CHECK(norm(p - to_double(volume<VolumeKind::box>(node, ref.lane()).center)) <=
              node.reach[ref.lane()]);
      }
    return triangles;
  }
};

void check_mesh(const Mesh& mesh) {
  Walk walk{mesh, std::vector<int>(mesh.faces().size())};
  CHECK(walk.below(Bvh::root()).size() == mesh.faces().size());
  for (const int count : walk.seen) CHECK(count == 1);
}

/// Slivers, lines of points, one point many times: a hierarchy all the same.
Mesh degenerate(testing::Random& random, int kind, double scale) {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  for (Index i = 0; i < 60; ++i) {
    const double t = random.uniform(0, 1);
    for (int k = 0; k < 3; ++k) {
      Vec3d p{t + 0.01 * k, kind == 1 ? std::pow(0.5, i) : 0.0, 1e-9 * random.uniform(0, 1)};
      if (kind == 2) p = {1, 2, 3};
      vertices.push_back(p * scale);
    }
    faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Mesh(vertices, faces, false);
}

/// A box of sizes 10 x 2 x 1, cut into slivers along its length, turned anyhow: its volume is the
/// box, though the covariance of its surface leans toward the diagonals of the slivers.
void check_axes(testing::Random& random) {
  const Mat3d turn = random.pose(1).rotation;
  std::vector<Vec3d> corners;
  const auto add = [&](Vec3d p) { corners.push_back(turn * p); };
  for (const double y : {-1.0, 1.0})
    for (const double z : {-0.5, 0.5}) add({-5, y, z}), add({5, y, z}), add({5, -y, z});
  const Vec3d size = extent(local_box(corners, fit_axes(corners)));
  CHECK(half_area(size) < 1.02 * half_area({10, 2, 1}));
}

/// Twenty small boxes here and five there, and in each a few that are wide: the cut goes between.
void check_cut(testing::Random& random) {
  std::vector<Box> boxes;
  for (int i = 0; i < 25; ++i) {
    const double x = (i < 20 ? 0.0 : 10.0) + random.uniform(0, 2);
    const Vec3d low{x, random.uniform(0, 4), random.uniform(0, 4)};
    boxes.push_back({low, low + Vec3d{1, i % 5 == 0 ? 3.0 : 1.0, 1}});
  }
  const std::optional<Cut> cut = best_cut(boxes);
  CHECK(cut && cut->axis == 0);
  for (int i = 0; i < 25; ++i) CHECK(cut->is_below(boxes[i]) == (i < 20));
  CHECK(!best_cut(std::vector<Box>(9, boxes[0])));
}

/// Many triangles close together, in any order, and one far away: no cut leaves a fair share on
/// both sides. Still the volumes hardly overlap: a point is in few of those that are not huge.
void check_outlier(testing::Random& random) {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  constexpr Index count = 3000;
  for (Index i = 0; i < count; ++i) {
    const Vec3d at = i == 1234 ? Vec3d{1e4, 2e4, 3e4} : random.point(1);
    for (int k = 0; k < 3; ++k) vertices.push_back(at + random.point(0.01));
    faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Mesh mesh(vertices, faces, false);
  double inside = 0;  // of the cube that holds all but one
  for (const WideNode& node : mesh.bvh().nodes)
    for (int lane = 0; lane < lanes; ++lane)
      if (const Vec3f half = volume<VolumeKind::box>(node, lane).half;
          (node.used >> lane & 1) && node.reach[lane] < 2)
        inside += half.x * half.y * half.z;
  std::printf("a point is in %.1f volumes\n", inside);
  CHECK(inside < 5);
}

}  // namespace

int main() {
  testing::Random random(8);
  for (int i = 0; i < 50; ++i) check_axes(random), check_cut(random);
  check_outlier(random);
  for (int count : {1, 2, 7, 8, 9, 63, 64, 65, 500}) check_mesh(random.soup(count, 1));
  for (double scale : {1e-12, 1e-6, 1.0, 1e6, 1e12})
    for (int kind = 0; kind < 3; ++kind) check_mesh(degenerate(random, kind, scale));
}
