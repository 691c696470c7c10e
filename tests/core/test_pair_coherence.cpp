// Coherence of bodies that move in small steps: lists are the same bit by bit, and contacts keep
// the contract.
#include <cmath>
#include <cstring>
#include <numbers>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/dynamics/certify/certifier.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/pair_coherence.hpp"
#include "toccata/query/proximities.hpp"

using namespace toccata;

namespace {

using testing::Random;

/// A grid of quads over u and v, closed in u; `at` places its corners.
template <class At>
Mesh grid(int nu, int nv, bool closed, const At& at) {
  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  for (int j = 0; j < nv + !closed; ++j)
    for (int i = 0; i < nu; ++i)
      vertices.push_back(at(2 * std::numbers::pi * i / nu, static_cast<double>(j) / nv));
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const int up = (j + 1) % (nv + !closed) * nu, right = (i + 1) % nu;
      const Index a = j * nu + i, b = j * nu + right, c = up + i, d = up + right;
      faces.push_back({a, b, d}), faces.push_back({a, d, c});
    }
  return Mesh(vertices, faces, false);
}

Mesh tube(double radius, double length, int nu, int nv) {
  return grid(nu, nv, false, [=](double u, double v) {
    return Vec3d{radius * std::cos(u), radius * std::sin(u), length * (v - 0.5)};
  });
}

Mesh torus(double ring, double radius) {
  return grid(12, 10, true, [=](double u, double v) {
    const double w = 2 * std::numbers::pi * v, r = ring + radius * std::cos(w);
    return Vec3d{r * std::cos(u), r * std::sin(u), radius * std::sin(w)};
  });
}

Mesh box(double x, double y, double z, bool solid = false) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  const Face faces[] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return Mesh(corners, faces, solid);
}

/// A walk of a body near another one, which may move, too.
struct Walk {
  const Mesh &a, &b;
  Pose start;
  double distance, step, turn;
  Vec3d along{1, 1, 1};  ///< how much of a step each axis takes
};

bool same_bits(const Proximity& p, const Proximity& q) {
  const auto same = [](const Vec3d& v, const Vec3d& w) { return !std::memcmp(&v, &w, sizeof v); };
  return p.kind == q.kind && p.vertices_a == q.vertices_a && p.vertices_b == q.vertices_b &&
         same(p.point_a, q.point_a) && same(p.point_b, q.point_b) && same(p.normal, q.normal) &&
         p.distance == q.distance;
}

void check_list(PairCoherence& coherence, const Body& a, const Body& b, double distance,
                const ProximityScope& scope) {
  std::vector<Proximity> found;
  coherence.list(a, b, distance, found, scope);
  const std::vector<Proximity> all = proximities(TwoBodies{a, b}, distance, scope);
  CHECK(found.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(same_bits(found[i], all[i]));
}

/// Within s - e it is a contact by then, and farther than s + e before it is not.
void check_contact(PairCoherence& coherence, const Body& a, const Body& b, double s, double e) {
  const auto options = [&](double separation, double tolerance) {
    Options result;
    result.separation = separation, result.tolerance = tolerance;
    return result;
  };
  const Contact found = coherence.first_contact(a, b, options(s, e));
  CHECK(found.status != Status::undecided);
  const double toc = found.status == Status::free ? infinity : found.toc;
  const Contact sure = first_contact(a, b, options(s - e, e / 2));
  if (sure.status != Status::free) CHECK(toc <= sure.toc);
  const Contact early = first_contact(a, b, options(s + e, e / 2));
  CHECK(early.status == Status::free ? toc == infinity : toc >= early.toc - 1e-12);
  if (found.status != Status::contact) return;
  const Motion at_a = Motion::fixed(a.motion.pose(toc)), at_b = Motion::fixed(b.motion.pose(toc));
  CHECK(distance({a.mesh, at_a}, {b.mesh, at_b}).lower <= s + e);
  CHECK(std::abs(norm(found.normal) - 1) < 1e-9);
}

/// Checks that certificates do not depend on coherence, in particular where bodies pass each
/// other just beyond the separation and its tolerance.
bool check_certificate(Random& random, PairCoherence& coherence, const Body& a, const Body& b,
                       double listed) {
  double least = infinity;
  for (int k = 0; k <= 20; ++k) {
    const Motion at_a = Motion::fixed(a.motion.pose(k / 20.0));
    const Motion at_b = Motion::fixed(b.motion.pose(k / 20.0));
    least = std::min(least, distance({a.mesh, at_a}, {b.mesh, at_b}).lower);
  }
  const double start = distance(a, b).lower;
  const auto length = [](const Body& body) {
    return farthest_move(body.motion, body.mesh.center(), body.mesh.radius());
  };
  const double most = std::max(least, 1e-4) / random.uniform(0.9, 1.5);
  const auto certified = [&](PairCoherence& with) {
    PairMotion motion{.a = a,
                      .b = b,
                      .distance = start,
                      .proven_distance = with.least_distance(a, b),
                      .most_separation = most,
                      .floor = 0,
                      .travel = length(a) + length(b),
                      .rounding = 0,
                      .coherence = with};
    return certify(motion);
  };
  PairCoherence fresh;
  std::vector<Proximity> found;
  fresh.list({a.mesh, Motion::fixed(a.motion.pose(0))}, {b.mesh, Motion::fixed(b.motion.pose(0))},
             listed, found);
  const double until = certified(coherence);
  CHECK(until == certified(fresh));
  return until == 1;
}

Pose stepped(Random& random, const Pose& pose, const Walk& walk) {
  const Vec3d by = random.point(walk.step);
  return {to_matrix(exp_rotation(random.point(walk.turn))) * pose.rotation,
          pose.translation + Vec3d{by.x * walk.along.x, by.y * walk.along.y, by.z * walk.along.z}};
}

/// How many motions were certified, and how many of them were cut off.
struct Answers {
  int whole = 0, cut = 0;
};

PairCoherence::Counts check_walk(Random& random, const Walk& walk, int steps, Answers& answers) {
  PairCoherence coherence, other_coherence;
  const FeatureRanks ranks_a(walk.a), ranks_b(walk.b);
  Pose pose = walk.start, other{};
  for (int k = 0; k < steps; ++k) {
    const bool both = random.below(2) == 1;
    const Pose next = stepped(random, pose, walk);
    const Pose other_next = both ? stepped(random, other, walk) : other;
    const Motion still_a = Motion::fixed(pose), still_b = Motion::fixed(other);
    const ProximityScope scope = random.below(2) ? ProximityScope{0.02, &ranks_a, &ranks_b}
                                                 : ProximityScope{};
    const double distance = walk.distance * random.uniform(0.5, 1);
    check_list(coherence, {walk.a, still_a}, {walk.b, still_b}, distance, scope);
    const Motion a = random.below(2) ? Twist::linear(pose, next, random.point(1))
                                     : Twist::screw(pose, next);
    const Motion b = both ? Motion(Twist::linear(other, other_next, {0, 0, 0})) : still_b;
    const double separation = walk.distance * random.uniform(0.02, 0.5);
    check_contact(coherence, {walk.a, a}, {walk.b, b}, separation, separation / 5);
    check_list(other_coherence, {walk.a, still_a}, {walk.b, still_b}, distance, scope);
    const bool is_free =
        check_certificate(random, other_coherence, {walk.a, a}, {walk.b, b}, distance);
    ++(is_free ? answers.whole : answers.cut);
    pose = next, other = other_next;
    if (random.below(20) == 0) pose = walk.start, other = {};  // it jumps
  }
  return coherence.counts();
}

/// Nothing is far from anything here, and still most questions are not asked from the roots.
void check_all(Random& random, int steps) {
  const Mesh soup = random.soup(60, 1), small = random.soup(20, 0.3), ring = torus(0.2, 0.08);
  const Mesh shaft = tube(0.2, 0.5, 16, 4);
  const Mesh bore = tube(0.202 / std::cos(std::numbers::pi / 16), 1, 16, 8);
  const Mesh cube = box(0.5, 0.5, 0.5, true), plate = box(2, 2, 0.1);
  const Walk walks[] = {
      {small, soup, {identity3, {1.2, 0, 0}}, 0.1, 0.01, 0.01},
      {soup, small, {identity3, {1.5, 0, 0}}, 0.6, 0.02, 0.3},  // it turns a lot
      {ring, ring, {identity3, {0.565, 0, 0}}, 0.01, 1e-3, 1e-3},
      {ring, ring, {to_matrix(exp_rotation({1.5, 0, 0})), {0.2, 0, 0}}, 0.05, 1e-3, 1e-3},
      {shaft, bore, {}, 2e-3, 2e-4, 1e-4},
      {shaft, bore, {}, 1.5e-3, 2e-3, 0, {0, 0, 1}},
      {cube, plate, {identity3, {0, 0, 0.601}}, 5e-3, 1e-3, 0, {1, 1, 0}},  // flat on flat
      {cube, plate, {identity3, {0, 0, 0.601}}, 5e-3, 1e-4, 1e-4},
      {cube, cube, {identity3, {1.0005, 1.0005, 0}}, 5e-3, 2e-4, 0},  // edge along edge
  };
  Answers answers;
  for (const Walk& walk : walks) {
    const PairCoherence::Counts counts = check_walk(random, walk, steps, answers);
    CHECK(counts.lists == steps && counts.contacts == steps);
    CHECK(4 * counts.rooted <= steps);
    CHECK(2 * (counts.by_distance + counts.by_front) >= steps);
  }
  CHECK(answers.whole > steps && 5 * answers.cut > steps);  // of nine walks
}

/// The tip of a long arm swings past a bar: as near at both ends, but through it in between. It is
/// small enough to turn by little, and moves along the bar: only the bend of its way tells.
void check_swing() {
  const Vec3d corners[] = {{100, -1, -1}, {100, 1, -1}, {100, 0, 1}};
  const Vec3d ends[] = {{99.5, -25, -0.01}, {99.5, 25, -0.01}, {99.5, 0, 0.01}};
  const Face face[] = {{0, 1, 2}};
  const Mesh tip(corners, face, false), bar(ends, face, false);
  const auto turned = [](double angle) { return Pose{to_matrix(exp_rotation({0, 0, angle})), {}}; };
  const Motion still = Motion::fixed({}), before = Motion::fixed(turned(-0.2));
  const Motion swing(Twist::linear(turned(-0.2), turned(0.2), {0, 0, 0}));
  Options options;
  options.separation = 1e-3, options.tolerance = 1e-4;
  for (const bool first : {true, false}) {
    const Body a{tip, before}, moving{tip, swing}, b{bar, still};
    PairCoherence coherence;
    std::vector<Proximity> found;
    coherence.list(first ? a : b, first ? b : a, 15, found);
    const Contact met = coherence.first_contact(first ? moving : b, first ? b : moving, options);
    CHECK(met.status == Status::contact && coherence.counts().by_front == 1);
    CHECK(std::abs(met.toc - first_contact(moving, b, options).toc) < 1e-3);
  }
}

/// A bar turns about its center, which stays, and an end of it meets something small.
void check_turn() {
  const Vec3d corners[] = {{-1, 0, -0.1}, {1, 0, -0.1}, {0, 0, 0.1}};
  const Vec3d small[] = {{0.9, 0.2, -0.12}, {0.95, 0.2, -0.12}, {0.9, 0.2, -0.07}};
  const Face face[] = {{0, 1, 2}};
  const Mesh bar(corners, face, false), post(small, face, false);
  const Motion still = Motion::fixed({});
  const Motion turn(Twist::linear({}, {to_matrix(exp_rotation({0, 0, 0.4})), {}}, {0, 0, 0}));
  Options options;
  options.separation = 1e-3, options.tolerance = 1e-4;
  for (const bool first : {true, false}) {
    const Body a{bar, still}, moving{bar, turn}, b{post, still};
    PairCoherence coherence;
    std::vector<Proximity> found;
    coherence.list(first ? a : b, first ? b : a, 0.3, found);
    const Contact met = coherence.first_contact(first ? moving : b, first ? b : moving, options);
    CHECK(met.status == Status::contact && coherence.counts().by_front == 1);
    CHECK(std::abs(met.toc - first_contact(moving, b, options).toc) < 1e-3);
  }
}

/// A bar turns towards another one of about the same size. Bounds that are not tested again stay
/// below the distance.
void check_kept_bounds() {
  const Vec3d corners[] = {{-1, 0, -0.1}, {1, 0, -0.1}, {0, 0, 0.1}};
  const Vec3d ends[] = {{-0.99, 0, -0.1}, {0.99, 0, -0.1}, {0, 0, 0.1}};
  const Face face[] = {{0, 1, 2}};
  const Mesh bar(corners, face, false), other(ends, face, false);
  const Motion still = Motion::fixed({});
  PairCoherence coherence;
  for (const double angle : {0.0, 0.1, 0.2, 0.3}) {
    const Motion turned = Motion::fixed({to_matrix(exp_rotation({0, 0, angle})), {0, 0.31, 0}});
    const Body a{bar, still}, b{other, turned};
    check_list(coherence, a, b, 0.02, {});
    CHECK(coherence.least_distance(a, b) <= distance(a, b).upper);
  }
  CHECK(coherence.counts().rooted == 1);
}

/// Distances below the floor may grow, but not shrink, although a motion that shrinks them is free.
void check_floor() {
  const Mesh one = box(0.5, 0.5, 0.5), other = box(0.4, 0.4, 0.4);
  const Motion still = Motion::fixed({});
  const Pose start{identity3, {0, 0, 0.901}};
  for (const double up : {-1e-4, 1e-4}) {
    const Motion moving(Twist(start, {0, 0, 0}, {0, 0, up}, {0, 0, 0}));
    const Body a{one, still}, b{other, moving};
    PairCoherence coherence;
    for (const double floor : {0.0, 1e-2}) {
      const PairMotion motion{.a = a,
                              .b = b,
                              .distance = distance(a, b).lower,
                              .proven_distance = 0,
                              .most_separation = 1e-2,
                              .floor = floor,
                              .travel = 1e-4,
                              .rounding = 0,
                              .ball_a = {},
                              .ball_b = {},
                              .coherence = coherence};
      CHECK(certify(motion) == (up > 0 || floor == 0));
    }
  }
}

/// A bar makes so many turns that the budget runs out, while a post sinks into its plane. Only the
/// portion before that is certified.
void check_many_turns() {
  const Mesh bar = box(1, 0.05, 0.05), post = box(0.05, 0.05, 0.05);
  const Motion turning(Twist({}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1e5}));
  const Motion sinking(Twist({identity3, {0.5, 0, 1}}, {0, 0, 0}, {0, 0, -1}, {0, 0, 0}));
  const Body a{bar, turning}, b{post, sinking};
  PairCoherence coherence;
  const double start = distance(a, b).lower;
  const PairMotion motion{.a = a,
                          .b = b,
                          .distance = start,
                          .proven_distance = start,
                          .most_separation = 1e-3,
                          .floor = 0,
                          .travel = 2e5,
                          .rounding = 0,
                          .ball_a = EnclosingBall{Motion::fixed({}), 1.1},
                          .ball_b = {},
                          .coherence = coherence};
  const double until = certify(motion);
  CHECK(0 < until && until < 0.9);
}

/// A solid that starts inside of another one is in contact with it, however far surfaces are away.
void check_inside() {
  const Mesh outer = box(1, 1, 1, true), inner = box(0.1, 0.1, 0.1);
  const Motion still = Motion::fixed({}), moving(Twist::linear({}, {identity3, {0.01, 0, 0}}, {}));
  PairCoherence coherence;
  std::vector<Proximity> found;
  coherence.list({inner, still}, {outer, still}, 0.5, found);
  CHECK(found.empty() && coherence.least_distance({inner, still}, {outer, still}) > 0.5);
  CHECK(coherence.first_contact({inner, moving}, {outer, still}, {}).status ==
        Status::initial_overlap);
}

}  // namespace

int main(int argc, char** argv) {
  Random random(static_cast<unsigned>(testing::seed(argc, argv, 11)));
  check_all(random, 20 * testing::cases(argc, argv, 3));
  check_swing();
  check_turn();
  check_kept_bounds();
  check_floor();
  check_many_turns();
  check_inside();
}
