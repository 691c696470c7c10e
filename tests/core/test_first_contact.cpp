// All methods obey the contract on random soups and motions; brute force over all pairs of
// triangles is the judge. Run with a number to draw that many cases: a fuzzer for long nights.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/first_contact/batch.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/scene.hpp"

using namespace toccata;

namespace {

double distance_at(const Body& a, const Body& b, double t) {
  const Pose pose_a = a.motion.pose(t), pose_b = b.motion.pose(t);
  double least = 1e300;
  for (Index i = 0; i < static_cast<Index>(a.mesh.faces().size()); ++i)
    for (Index j = 0; j < static_cast<Index>(b.mesh.faces().size()); ++j)
      least = std::min(
          least, closest_points(pose_a * a.mesh.triangle(i), pose_b * b.mesh.triangle(j)).distance);
  return least;
}

void check_contract(const Body& a, const Body& b, const Options& options, const Contact& c) {
  const double s = options.separation, e = c.tolerance;
  CHECK(c.status != Status::undecided);
  const double end = c.status == Status::free ? 1 : c.toc;
  for (int k = 0; k < 40; ++k) {
    const double t = end * k / 40;
    if (t < end) CHECK(distance_at(a, b, t) > s * (1 - 1e-12));
  }
  if (c.status == Status::free) {
    CHECK(std::isinf(c.toc) && c.safe_until == 1 && distance_at(a, b, 1) > s * (1 - 1e-12));
    return;
  }
  CHECK(c.toc == c.safe_until && c.toc >= 0 && c.toc <= 1);
  CHECK(distance_at(a, b, c.toc) <= s + e);
  CHECK(c.closest.distance <= s + e);
}

/// Returns whether the bodies touch.
bool one_case(testing::Random& random) {
  const double scale = std::exp(random.uniform(-8, 8));
  const Mesh mesh_a = random.soup(1 + random.below(12), scale);
  const Mesh mesh_b = random.soup(1 + random.below(12), scale);
  const double distance = random.uniform(0.8, 2.5) * scale;
  const Motion motion_a = random.motion(distance), motion_b = random.motion(distance);
  const Body a{mesh_a, motion_a}, b{mesh_b, motion_b};
  Options options;
  options.separation = random.below(3) ? 0 : random.uniform(0, 0.3) * scale;
  options.tolerance = scale * std::pow(10.0, -random.uniform(2, 7));
  Contact first;
  for (const Method method : {Method::automatic, Method::hca, Method::c2a, Method::interval}) {
    options.method = method;
    const Contact c = first_contact(a, b, options);
    check_contract(a, b, options, c);
    if (method == Method::automatic) first = c;
  }
  options.method = Method::automatic;
  options.budget = 1 + random.below(20);
  const Contact hurried = first_contact(a, b, options);
  if (hurried.status == Status::undecided) {
    CHECK(hurried.toc == hurried.safe_until);
    CHECK(hurried.safe_until <= first.toc + 1e-12 || first.status == Status::free);
  }
  return first.status != Status::free;
}

void zero_motion_and_ends() {
  const std::vector<Vec3d> v{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Face> f{{0, 1, 2}};
  const Mesh mesh(v, f, false);
  const Motion here = Motion::fixed({});
  Options options;
  for (const Method method : {Method::automatic, Method::hca, Method::c2a, Method::interval}) {
    options.method = method;
    const Motion above = Motion::fixed({identity3, {0, 0, 1}});
    CHECK(first_contact({mesh, above}, {mesh, here}, options).status == Status::free);
    CHECK(first_contact({mesh, here}, {mesh, here}, options).status == Status::initial_overlap);
    // Touches at the very end.
    const Motion down = Twist::linear({identity3, {0, 0, 1}}, {}, {0, 0, 0});
    const Contact late = first_contact({mesh, down}, {mesh, here}, options);
    CHECK(late.status == Status::contact && late.toc > 1 - 1e-5 && late.toc <= 1);
    // Starts in touch and moves away.
    const Motion up = Twist::linear({}, {identity3, {0, 0, 1}}, {0, 0, 0});
    options.initial = Initial::ignore_separating;
    CHECK(first_contact({mesh, up}, {mesh, here}, options).status == Status::free);
    options.initial = Initial::report;
  }
}

void scene_obeys_the_contract(testing::Random& random) {
  std::vector<Mesh> meshes;
  std::vector<Motion> motions;
  for (int i = 0; i < 12; ++i) meshes.push_back(random.soup(4, 0.5));
  for (int i = 0; i < 12; ++i) motions.push_back(random.motion(6));
  std::vector<Body> bodies;
  std::vector<const Mesh*> places;
  for (int i = 0; i < 12; ++i)
    bodies.push_back({meshes[i], motions[i]}), places.push_back(&meshes[i]);
  Options options;
  options.tolerance = 1e-4;
  const SceneContact found = Scene(BodySet(places, motions), {}).first_contact({options});
  const bool touches = found.contact.status != Status::free;
  const double end = touches ? found.contact.toc : 1;
  if (touches)
    CHECK(distance_at(bodies[found.body_a], bodies[found.body_b], end) <= options.tolerance);
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j) {
      // Its own answer may differ within the contract, since the scene asks for less of the motion.
      if (!touches) CHECK(first_contact(bodies[i], bodies[j], options).status == Status::free);
      for (int k = 0; k < 8; ++k)
        CHECK(end == 0 || distance_at(bodies[i], bodies[j], end * k / 8) > 0);
    }
}

}  // namespace

int main(int argc, char** argv) {
  testing::Random random(testing::seed(argc, argv, 10));
  const int cases = testing::cases(argc, argv, 300);
  int hits = 0;
  for (int i = 0; i < cases; ++i) hits += one_case(random);
  std::printf("%d of %d touch\n", hits, cases);
  CHECK(cases < 100 || (hits > 0.3 * cases && hits < 0.8 * cases));
  zero_motion_and_ends();
  for (int i = 0; i < 20; ++i) scene_obeys_the_contract(random);
}
