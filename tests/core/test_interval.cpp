// method="interval" against its contract: brute force over all pairs of triangles at the time of
// contact, samples before it, and the answers of method="auto".
#include "interval_cases.hpp"
#include "toccata/query/first_contact/methods.hpp"
#include "toccata/walk/one_pair.hpp"

namespace toccata::testing {
namespace {

void test_random_motions() {
  Random random(1);
  const Mesh meshes[] = {box(0.7, 0.5, 0.3), tetrahedron(), random.soup(14, 0.6),
                         box(1, 0.02, 0.2)};
  int contacts = 0, count = 0;
  for (int n = 0; n < 700; ++n) {
    const Case c{meshes[n % 4], meshes[n / 4 % 4], n % 6 ? random.motion(2) : braking(random, 2),
                 n % 5 ? random.motion(0.5) : braking(random, 0.5)};
    Options o;
    o.tolerance = n % 3 == 0 ? 1e-2 : n % 3 == 1 ? 1e-4 : 1e-8;
    o.separation = n % 4 == 0 ? 0.1 : 0;
    if (c.distance(0) < o.separation + o.tolerance) continue;
    const Contact answer = ask(c, o);
    CHECK(answer.status == Status::contact || answer.status == Status::free);
    check_contract(c, o, answer, 50);
    check_agreement(c, o, answer, walk_pair(c.pair(o), 0));
    ++count;
    contacts += answer.status == Status::contact;
  }
  CHECK(count > 300 && contacts > 0.3 * count && contacts < 0.7 * count);
}

/// Moves `a` from one place to another past a resting `b`, expects contact at `toc` (or none, at
/// infinity) within what the tolerance allows, and little work.
void check_slide(const Mesh& a, const Mesh& b, const Vec3d& from, const Vec3d& to,
                 double separation, double toc) {
  Options o;
  o.tolerance = 1e-4;
  o.separation = separation;
  const Case c{a, b, sliding(from, to), Motion::fixed({})};
  const Contact answer = ask(c, o);
  const double early = 2 * o.tolerance / norm(to - from);
  if (std::isinf(toc)) CHECK(answer.status == Status::free);
  else CHECK(answer.toc <= toc + 1e-9 && answer.toc >= toc - early);
  CHECK(answer.stats.elementary_tests < 20000);
  check_contract(c, o, answer, 20);
}

void test_degenerate_contacts() {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Mesh cube = box(0.5, 0.5, 0.5);
  const std::vector<Vec3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, ends{{-1, 0, 0}, {1, 0, 0}};
  const Mesh triangle(corners, std::vector<Face>{{0, 1, 2}}, false);
  const Mesh segment(ends, std::vector<Face>{{0, 1, 1}}, false);
  const Mesh point(corners, std::vector<Face>{{0, 0, 0}}, false);
  check_slide(cube, cube, {3, 0, 0}, {1, 0, 0}, 0, 1);                // faces meet at the very end
  check_slide(cube, cube, {3, 0.3, 0.2}, {0, 0.3, 0.2}, 0, 2.0 / 3);  // parallel faces and edges
  check_slide(cube, cube, {3, 1, 0}, {-3, 1, 0}, 0, 1.0 / 3);         // faces slide in one plane
  check_slide(cube, cube, {3, 1.001, 0}, {-3, 1.001, 0}, 0, never);
  check_slide(triangle, triangle, {2, 0.2, 0}, {0, 0.2, 0}, 0, 0.6);  // within one plane
  check_slide(triangle, triangle, {2, 2, 0}, {2, -2, 0}, 0, never);
  check_slide(segment, segment, {0, 2, 0}, {0, -2, 0}, 0, 0.5);  // parallel segments
  check_slide(segment, segment, {4, 0, 0}, {0, 0, 0}, 0, 0.5);   // on one line
  check_slide(point, triangle, {0.2, 0.2, 1}, {0.2, 0.2, -1}, 0, 0.5);
  check_slide(point, segment, {0.2, 0, 1}, {0.2, 0, -1}, 0, 0.5);
  check_slide(point, point, {0, 0, 1}, {0, 0, -1}, 0, 0.5);
  check_slide(point, point, {0, 1e-3, 1}, {0, 1e-3, -1}, 0, never);
  check_slide(cube, cube, {3, 0.3, 0.2}, {0, 0.3, 0.2}, 0.25, 1.75 / 3);
  check_slide(segment, segment, {0, 2, 0}, {0, -2, 0}, 0.25, 1.75 / 4);
  check_slide(point, triangle, {0.2, 0.2, 1}, {0.2, 0.2, -1}, 0.25, 0.375);
  check_slide(cube, cube, {3, 1.2501, 0}, {-3, 1.2501, 0}, 0.25, never);
}

void test_no_motion_and_start() {
  const Mesh cube = box(0.5, 0.5, 0.5);
  Options o;
  o.tolerance = 1e-3;
  const auto rest = [&](double x) {
    return ask({cube, cube, Motion::fixed({identity3, {x, 0.1, 0.2}}), Motion::fixed({})}, o);
  };
  CHECK(rest(2).status == Status::free);
  CHECK(rest(1).toc == 0);
  const Contact crossing = rest(0.7);
  CHECK(crossing.status == Status::contact && crossing.toc == 0);
  // Parting bodies count only if asked to.
  const Case parting{cube, cube, sliding({1, 0, 0}, {3, 0, 0}), Motion::fixed({})};
  CHECK(ask(parting, o).toc == 0);
  o.initial = Initial::ignore_separating;
  CHECK(ask(parting, o).status == Status::free);
}

void test_many_turns() {
  const Mesh bar = box(2, 0.05, 0.05), cube = box(0.2, 0.2, 0.2);
  Options o;
  o.tolerance = 1e-5;
  // The bar sweeps a disk dozens of times while the cube comes down on it.
  const Case c{bar, cube, Twist({}, {}, {}, {0, 0, 200}), sliding({1, 0, 2}, {1, 0, -2})};
  const Contact answer = ask(c, o);
  CHECK(answer.status == Status::contact && answer.toc > 0.437 && answer.toc < 0.46);
  check_contract(c, o, answer, 500);
}

void test_budget_and_cutoff() {
  Random random(3);
  const Mesh a = random.soup(60, 0.6), b = random.soup(60, 0.6);
  const Case c{a, b, Motion(Twist({identity3, {3, 0.2, 0}}, {}, {-3, 0, 0}, {1, 2, 3})),
               Twist({}, {}, {}, {2, -1, 0})};
  Options o;
  o.tolerance = 1e-6;
  const Contact full = ask(c, o);
  CHECK(full.status == Status::contact && full.toc > 0);
  int undecided = 0;
  for (o.budget = 1; o.budget < 400; o.budget += 7) {
    const Contact answer = ask(c, o);
    undecided += answer.status == Status::undecided;
    if (answer.status == Status::undecided) {
      CHECK(answer.toc == answer.safe_until && answer.safe_until <= full.toc + 1e-6);
      check_contract(c, o, answer, 10);
    } else {
      CHECK(answer.toc == full.toc);
    }
  }
  CHECK(undecided > 10);
  o.budget = 1'000'000;
  o.cutoff = full.toc;
  CHECK(ask(c, o).status == Status::free);
}

}  // namespace
}  // namespace toccata::testing

int main() {
  using namespace toccata::testing;
  test_random_motions();
  test_degenerate_contacts();
  test_no_motion_and_start();
  test_many_turns();
  test_budget_and_cutoff();
}
