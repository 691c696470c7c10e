// Boxes of a world contain its bodies, those of whole motions contain those of windows, and a world
// whose bodies were moved is as if made anew.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/broad/body_set.hpp"

using namespace toccata;

namespace {

bool contains(const Box& outer, const Box& inner) {
  Box both = outer;
  extend(both, inner);
  return norm1(both.lo - outer.lo) == 0 && norm1(both.hi - outer.hi) == 0;
}

bool same(const Box& a, const Box& b) { return contains(a, b) && contains(b, a); }

Interval window(int k) {
  return {static_cast<double>(k) / BodySet::windows, static_cast<double>(k + 1) / BodySet::windows};
}

Motion any_motion(testing::Random& random, int kind) {
  if (kind == 0) return Motion::fixed({identity3, random.point(3)});
  if (kind == 1) return random.motion(40);  // many turns
  const Pose start{identity3, random.point(3)};
  return Twist(start, random.point(2), random.point(2), random.point(kind == 2 ? 0.5 : 3));
}

void check_boxes(const BodySet& world) {
  for (Index i = 0; i < static_cast<Index>(world.size()); ++i) {
    const Body body = world.body(i);
    for (int k = 0; k < BodySet::windows; ++k) {
      const Box box = world.box(i, window(k));
      CHECK(contains(world.box(i), box));
      for (const double t : {window(k).lo, middle(window(k)), window(k).hi})
        for (const Vec3d& v : body.mesh.vertices()) {
          Box point;
          extend(point, body.motion.pose(t) * v);
          CHECK(contains(grown(box, 1e-12), point));
        }
    }
  }
}

void check_same(const BodySet& a, const BodySet& b) {
  CHECK(a.extent() == b.extent() && a.radii().least() == b.radii().least() &&
        a.moves() == b.moves());
  for (Index i = 0; i < static_cast<Index>(a.size()); ++i) {
    CHECK(same(a.box(i), b.box(i)));
    const Boxf x = box_of(a.packs(), i), y = box_of(b.packs(), i);
    CHECK(x.lo.x == y.lo.x && x.hi.z == y.hi.z);
    for (int k = 0; k < BodySet::windows; ++k)
      CHECK(same(a.box(i, window(k)), b.box(i, window(k))));
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::Random random(testing::seed(argc, argv, 3));
  const int cases = testing::cases(argc, argv, 60);
  std::vector<Mesh> meshes;
  for (int i = 0; i < 9; ++i) meshes.push_back(random.soup(4, i % 2 ? 0.5 : 3.0));
  std::vector<const Mesh*> places;
  for (const Mesh& mesh : meshes) places.push_back(&mesh);
  std::vector<Motion> motions(9, Motion::fixed({}));
  BodySet world(places, motions);
  for (int i = 0; i < cases; ++i) {
    bool rest_changed = false;
    for (Index k = 0; k < 9; ++k) {
      if (random.below(3) == 0) continue;
      const Motion motion = any_motion(random, static_cast<int>(random.below(4)));
      rest_changed = rest_changed || motion.is_fixed() || motions[k].is_fixed();
      motions[k] = motion;
      world.move(k, motion);
    }
    CHECK(world.update() == rest_changed);
    CHECK(!world.update());
    check_boxes(world);
    check_same(world, BodySet(places, motions));
    check_same(BodySet(world), world);
  }
  return 0;
}
