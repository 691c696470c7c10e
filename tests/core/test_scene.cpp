// Scenes that are moved say what new ones say; their contacts and clearances are held against all
// pairs, one by one.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/clearance/scene_clearance.hpp"
#include "toccata/query/contacts.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/scene.hpp"

using namespace toccata;

namespace {

constexpr Index count = 8;

double distance_at(const Body& a, const Body& b, double t) {
  const Pose pose_a = a.motion.pose(t), pose_b = b.motion.pose(t);
  double least = 1e300;
  for (Index i = 0; i < static_cast<Index>(a.mesh.faces().size()); ++i)
    for (Index j = 0; j < static_cast<Index>(b.mesh.faces().size()); ++j)
      least = std::min(
          least, closest_points(pose_a * a.mesh.triangle(i), pose_b * b.mesh.triangle(j)).distance);
  return least;
}

template <class Visit>
void for_pairs(const Visit& visit) {
  for (Index i = 0; i < count; ++i)
    for (Index j = i + 1; j < count; ++j) visit(BodyIndices{i, j});
}

bool same(const SceneContact& a, const SceneContact& b) {
  return a.contact.status == b.contact.status && a.contact.toc == b.contact.toc &&
         a.contact.element_a == b.contact.element_a && a.body_a == b.body_a &&
         a.body_b == b.body_b && a.contact.stats.bv_tests == b.contact.stats.bv_tests;
}

SceneQuery any_query(testing::Random& random) {
  SceneQuery query;
  query.options.tolerance = random.below(2) ? 0 : 1e-3;
  if (random.below(2)) return query;
  std::vector<Separations::Entry> entries;
  for_pairs([&](const BodyIndices& pair) {
    if (random.below(3) == 0) entries.push_back({pair, random.uniform(0, 0.5)});
  });
  query.separations = std::make_shared<const Separations>(entries, 0.01, count);
  return query;
}

void check_contacts(const Scene& scene, const BodyIndices& ignored, const SceneQuery& query) {
  const std::vector<SceneContact> rows = first_contacts(scene.bodies(query), 3);
  std::size_t touching = 0;
  for_pairs([&](const BodyIndices& pair) {
    if (pair == ignored) return;
    const Contact alone = first_contact(scene.world().body(pair.first),
                                        scene.world().body(pair.second), query.of(pair));
    if (alone.status == Status::free) return;
    ++touching;
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const SceneContact& r) {
      return r.body_a == pair.first && r.body_b == pair.second;
    });
    CHECK(row != rows.end() && row->contact.toc == alone.toc &&
          row->contact.status == alone.status && row->contact.element_b == alone.element_b);
  });
  CHECK(touching == rows.size());
  const Contact first = scene.first_contact(query).contact;
  CHECK((first.status == Status::free) == rows.empty());
  if (first.status == Status::free || first.element_a < 0) return;
  const std::vector<SceneContact> all = contacts_at(scene.bodies(query), first.toc);
  CHECK(!all.empty());
  for (const SceneContact& one : all) CHECK(one.contact.toc == first.toc);
}

void check_clearance(const Scene& scene, const BodyIndices& ignored) {
  const SceneClearance found = clearance(scene.bodies(), {.tolerance = 0.01});
  CHECK(found.upper - found.lower <= 0.01 || found.body_a < 0);
  for_pairs([&](const BodyIndices& pair) {
    if (pair == ignored) return;
    const Body a = scene.world().body(pair.first), b = scene.world().body(pair.second);
    for (int k = 0; k <= 8; ++k) CHECK(distance_at(a, b, k / 8.0) >= found.lower);
  });
  if (found.body_a >= 0)
    CHECK(distance_at(scene.world().body(found.body_a), scene.world().body(found.body_b),
                      found.time) <= found.upper);
}

}  // namespace

int main(int argc, char** argv) {
  testing::Random random(testing::seed(argc, argv, 5));
  const int cases = testing::cases(argc, argv, 40);
  std::vector<Mesh> meshes;
  for (Index i = 0; i < count; ++i) meshes.push_back(random.soup(5, 0.4));
  std::vector<const Mesh*> places;
  for (const Mesh& mesh : meshes) places.push_back(&mesh);
  std::vector<Motion> motions(count, Motion::fixed({}));
  Scene scene(BodySet(places, motions), {});
  int hits = 0;
  for (int i = 0; i < cases; ++i) {
    const BodyIndices ignored{0, 1 + random.below(count - 1)};
    scene.ignore({ignored});
    for (Index k = 0; k < count; ++k)
      if (random.below(2)) scene.move(k, motions[k] = random.motion(4));
    scene.update();
    const SceneQuery query = any_query(random);
    const SceneContact found = scene.first_contact(query);
    CHECK(same(found, Scene(BodySet(places, motions), {ignored}).first_contact(query)));
    CHECK(same(found, Scene(scene).first_contact(query)));
    check_contacts(scene, ignored, query);
    check_clearance(scene, ignored);
    hits += found.contact.status != Status::free;
  }
  std::printf("%d of %d touch\n", hits, cases);
  return 0;
}
