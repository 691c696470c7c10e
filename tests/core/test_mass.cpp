// Mass properties against whole numbers and sums of boxes: turned faces, shells within shells.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "toccata/dynamics/body/mass.hpp"
#include "toccata/dynamics/body/symmetric.hpp"

using namespace toccata;

namespace {

struct Model {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  std::vector<Index> solids;

  void add_box(const Vec3d& lo, const Vec3d& hi, bool inward = false, Index solid = 1) {
    const auto first = static_cast<Index>(vertices.size());
    for (int k = 0; k < 8; ++k)
      vertices.push_back({k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z});
    const Face outward[12] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (Face f : outward) {
      if (inward) std::swap(f[1], f[2]);
      faces.push_back({f[0] + first, f[1] + first, f[2] + first});
      solids.push_back(solid);
    }
  }
  Mesh solid() const { return Mesh(vertices, faces, std::span<const Index>(solids)); }
  Mesh soup() const { return Mesh(vertices, faces, false); }
};

/// Returns the mass properties of a box of density 1, times a sign.
MassProperties box_properties(const Vec3d& lo, const Vec3d& hi, double sign = 1) {
  const Vec3d d = hi - lo;
  const double mass = sign * d.x * d.y * d.z;
  const double x = d.x * d.x / 12, y = d.y * d.y / 12, z = d.z * d.z / 12;
  return {mass, (lo + hi) * 0.5, Mat3d{{y + z, 0, 0}, {0, z + x, 0}, {0, 0, x + y}} * mass};
}

/// The parallel axis theorem.
Mat3d shifted(const MassProperties& p, const Vec3d& center) {
  const Mat3d arm = skew(p.center - center);
  return p.inertia + (arm * transposed(arm)) * p.mass;
}

MassProperties sum(const std::vector<MassProperties>& parts) {
  MassProperties total{};
  for (const MassProperties& p : parts) total.mass += p.mass;
  for (const MassProperties& p : parts)
    total.center = total.center + p.center * (p.mass / total.mass);
  for (const MassProperties& p : parts) total.inertia = total.inertia + shifted(p, total.center);
  return total;
}

double distance(const Mat3d& m, const Mat3d& n) {
  return norm(m.x - n.x) + norm(m.y - n.y) + norm(m.z - n.z);
}

void check_equal(const MassProperties& got, const MassProperties& expected, double error = 1e-13) {
  CHECK(std::abs(got.mass - expected.mass) <= error * expected.mass);
  CHECK(norm(got.center - expected.center) <= error * (1 + norm(expected.center)));
  CHECK(distance(got.inertia, expected.inertia) <= error * trace(expected.inertia));
  check(got);
}

const Vec3d lo{0, 0, 0}, hi{4, 5, 6};

void test_shells() {
  const MassProperties outer = box_properties(lo, hi);
  const Vec3d in{1, 1, 1}, out{3, 3, 3};
  const MassProperties hole = box_properties(in, out, -1);
  Model box;
  box.add_box(lo, hi);
  check_equal(mass_properties(box.solid(), 1), outer);
  check_equal(mass_properties(box.soup(), 1), outer);  // closed, too

  Model cavity = box;
  cavity.add_box(in, out, true);
  check_equal(mass_properties(cavity.solid(), 1), sum({outer, hole}));
  Model core = cavity;
  core.add_box({1.5, 1.5, 1.5}, {2, 2, 2});
  check_equal(mass_properties(core.solid(), 1),
              sum({outer, hole, box_properties({1.5, 1.5, 1.5}, {2, 2, 2})}));
  Model filled = box;
  filled.add_box(in, out);
  check_equal(mass_properties(filled.solid(), 1), outer);
  Model hollow = filled;  // the hole of a body inside other material
  hollow.add_box({1.5, 1.5, 1.5}, {2, 2, 2}, true);
  check_equal(mass_properties(hollow.solid(), 1), outer);
  Model other = cavity;  // another solid in the hole
  other.add_box({1.5, 1.5, 1.5}, {2, 2, 2}, true, 2);
  check_equal(mass_properties(other.solid(), 1),
              sum({outer, hole, box_properties({1.5, 1.5, 1.5}, {2, 2, 2})}));
  Model parts = box;  // beside each other, one of them touching
  parts.add_box({4, 0, 0}, {5, 5, 6});
  parts.add_box({8, 0, 0}, {9, 1, 1}, true, 2);
  check_equal(mass_properties(parts.solid(), 1), sum({outer, box_properties({4, 0, 0}, {5, 5, 6}),
                                                      box_properties({8, 0, 0}, {9, 1, 1})}));
  Model half = box;  // faces that bound no solid weigh nothing
  half.add_box({7, 7, 7}, {8, 8, 8}, false, 0);
  check_equal(mass_properties(half.solid(), 1), outer);
}

void test_turned_faces(int cases) {
  std::mt19937 engine(5);
  Model box;
  box.add_box(lo, hi);
  for (int i = 0; i < cases; ++i) {
    Model turned = box;
    for (Face& f : turned.faces)
      if (engine() % 2) std::swap(f[0], f[1]);
    std::shuffle(turned.faces.begin(), turned.faces.end(), engine);
    check_equal(mass_properties(i % 2 ? turned.solid() : turned.soup(), 1), box_properties(lo, hi));
  }
}

/// Far away, and in any units.
void test_places_and_scales() {
  for (const double far : {1e3, 1e6, 1e9}) {
    Model box;
    const Vec3d shift{far, -far, far};
    box.add_box(lo + shift, hi + shift);
    const MassProperties got = mass_properties(box.solid(), 2), expected = box_properties(lo, hi);
    check_equal({got.mass / 2, got.center - shift, got.inertia * 0.5}, expected);
  }
  for (const double scale : {1e-40, 1e-3, 1e12}) {
    Model box;
    box.add_box(lo * scale, hi * scale);
    check_equal(mass_properties(box.solid(), 1), box_properties(lo * scale, hi * scale));
  }
}

/// A triangle has an area only: 1/12 of it times the squares of its corners and of their sum.
void test_soups() {
  const Mesh one(std::vector<Vec3d>{{0, 0, 0}, {3, 0, 0}, {0, 6, 0}}, std::vector<Face>{{0, 1, 2}},
                 false);
  const MassProperties got = mass_properties(one, 2);
  const double x = 9.0 * 9 / 18, y = 9.0 * 36 / 18;  // area b^2 / 18
  CHECK(std::abs(got.mass - 18) < 1e-13 && norm(got.center - Vec3d{1, 2, 0}) < 1e-14);
  const double xy = -9.0 * 18 / 36;
  check_equal(got, {18, {1, 2, 0}, Mat3d{{y, -xy, 0}, {-xy, x, 0}, {0, 0, x + y}} * 2.0});
  Model sheet;  // both sides of a square are closed, but bound nothing
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.faces = {{0, 1, 2}, {0, 2, 3}, {2, 1, 0}, {3, 2, 0}};
  const MassProperties both = mass_properties(sheet.soup(), 1);
  CHECK(std::abs(both.mass - 2) < 1e-14 && std::abs(both.inertia.z.z - 2 / 6.0) < 1e-14);
}

template <class Ask>
bool is_refused(const Ask& ask) {
  try {
    ask();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void test_refused() {
  const std::vector<Vec3d> line{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  const Mesh segment(line, std::vector<Face>{{0, 1, 2}}, false);
  const Mesh point(line, std::vector<Face>{{1, 1, 1}}, false);
  for (const Mesh* mesh : {&segment, &point}) CHECK(is_refused([&] { mass_properties(*mesh, 1); }));
  Model box;
  box.add_box(lo, hi);
  const Mesh mesh = box.solid();
  for (const double density : {0.0, -1.0, infinity, not_a_number, 1e-310})
    CHECK(is_refused([&] { mass_properties(mesh, density); }));
  const MassProperties good = box_properties(lo, hi);
  check(good);
  const auto refused = [](MassProperties p) { return is_refused([&] { check(p); }); };
  CHECK(refused({0, good.center, good.inertia}) && refused({infinity, good.center, good.inertia}));
  CHECK(refused({1, {0, not_a_number, 0}, good.inertia}) && refused({1, good.center, {}}));
  CHECK(refused({1, good.center, {{1, 0, 0}, {0, 1, 0}, {0, 0, 2.001}}}));  // triangle inequality
  CHECK(refused({1, good.center, {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}}));    // symmetry
  CHECK(refused({1, good.center, {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}));
  CHECK(refused({1, good.center, {{1, 1, 0}, {1, 1, 0}, {0, 0, 2}}}));
  check({1, good.center, {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}});  // flat bodies have such an inertia
  check({1e-30, good.center, Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}} * 1e-60});
}

}  // namespace

int main(int argc, char** argv) {
  test_shells();
  test_turned_faces(testing::cases(argc, argv, 50));
  test_places_and_scales();
  test_soups();
  test_refused();
}
