// Elementary tests against samples of the distance: never later than a sample that touches, never
// far at the time of contact. Exact answers are compared in tests/properties/test_elementary.py.
#include <vector>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/geometry/triangle.hpp"
#include "toccata/math/cubic.hpp"
#include "toccata/narrow/linear/filter.hpp"
#include "toccata/narrow/linear/separation.hpp"
#include "toccata/query/deforming/elementary.hpp"

using namespace toccata;

namespace {

double distance_at(PairKind kind, const LinearPair& pair, double t) {
  std::array<Vec3d, 4> p;
  for (int k = 0; k < 4; ++k) p[k] = pair.start[k] * (1 - t) + pair.end[k] * t;
  if (kind == PairKind::vertex_face) return norm(p[0] - closest_point({{p[1], p[2], p[3]}}, p[0]));
  const auto [a, b] = closest_points(p[0], p[1], p[2], p[3]);
  return norm(a - b);
}

/// Points on a coarse grid often touch exactly, move in a plane, or not at all.
LinearPair random_pair(testing::Random& random, double scale) {
  LinearPair pair;
  const bool grid = random.below(2) == 0, flat = random.below(5) == 0;
  const auto point = [&] {
    Vec3d p = random.point(2);
    if (grid) p = {std::round(p.x), std::round(p.y), std::round(p.z)};
    if (flat) p.z = 0;
    return p * scale;
  };
  for (int k = 0; k < 4; ++k) {
    pair.start[k] = k > 0 && random.below(12) == 0 ? pair.start[k - 1] : point();
    pair.end[k] = random.below(6) == 0 ? pair.start[k] : point();
  }
  return pair;
}

LinearContact solve(PairKind kind, const LinearPair& pair, const LinearOptions& options,
                    double cutoff = 1) {
  return kind == PairKind::vertex_face ? first_contact<PairKind::vertex_face>(pair, options, cutoff)
                                       : first_contact<PairKind::edge_edge>(pair, options, cutoff);
}

/// Returns whether the pair touched.
bool check_pair(testing::Random& random, PairKind kind) {
  const double scale = std::exp(random.uniform(-8, 8));
  const LinearPair pair = random_pair(random, scale);
  const LinearOptions options{random.below(3) == 0 ? 0.2 * scale : 0.0, 1e-6 * scale, 20'000};
  const LinearContact found = solve(kind, pair, options);
  CHECK(found.outcome != Outcome::undecided);
  const double rounding = 1e-13 * scale;
  for (int k = 0; k <= 64; ++k)
    if (const double t = k / 64.0; t < found.time)
      CHECK(distance_at(kind, pair, t) > options.separation - rounding);
  if (found.outcome == Outcome::free) return false;
  const double reach = options.separation + options.tolerance;
  CHECK(distance_at(kind, pair, found.time) <= reach + rounding);
  CHECK(solve(kind, pair, options, found.time).time == found.time);
  CHECK(found.time == 0 || solve(kind, pair, options, 0.5 * found.time).outcome == Outcome::free);
  return true;
}

/// A vertex beside a face that is hardly wider than rounding, in the plane that the rounded normal
/// belongs to, and far enough away. It moves so fast that contact comes at once, but not before the
/// tolerance allows it.
void check_sliver(testing::Random& random) {
  const Vec3d a = random.point(1), along = random.point(1);
  const double width = std::exp(random.uniform(-30, -25)), where = random.uniform(0.2, 0.8);
  const Vec3d b = a + along, c = a + along * where + random.point(width);
  const Vec3d n = cross(b - a, c - a), e = along * (1 / norm(along));
  const double tilt = dot(n, e) / norm(n), s = random.uniform(0.1, 0.9) * norm(along);
  const Vec3d across = n * (1 / norm(n)) - e * tilt;
  const Vec3d from = a + e * s - across * (s * tilt), to = from + across * (4e9 * s * tilt);
  const LinearOptions options{0, 1e-8, 20'000};
  const LinearContact found =
      solve(PairKind::vertex_face, {{from, a, b, c}, {to, a, b, c}}, options);
  if (found.outcome != Outcome::contact) return;
  const Vec3d at = from * (1 - found.time) + to * found.time;
  CHECK(norm(cross(at - a, e)) <= options.tolerance + 2 * width + 1e-13);
}

/// A plane across a vector whose squares underflow proves no separation.
void check_short_normal() {
  const LinearPair pair{{{{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}},
                        {{{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}}};
  const Differences<PairKind::vertex_face> differences(pair);
  for (const double length : {1.0, 1e-140, 1e-170, 1e-250}) {
    CHECK(separated_until(differences, {0, 0, length}, 0.9, 0) > 1);
    CHECK(separated_until(differences, {0, 0, length}, 1.1, 0) == 0);
  }
  // The normal of a small face is short; the vertex is at the distance of its size.
  for (const double size : {1.0, 1e-60, 1e-84, 1e-100}) {
    LinearPair small = pair;
    for (auto* points : {&small.start, &small.end})
      for (Vec3d& p : *points) p = p * size;
    const Differences<PairKind::vertex_face> scaled(small);
    CHECK(separated_rotating_until(scaled, 1.1 * size, {0, 1}) == 0);
  }
}

/// A cubic is positive before the number found; a simple first root is found to nine digits.
void check_cubic(testing::Random& random) {
  Cubic c;
  for (double& x : c) x = std::round(random.uniform(-8, 8) * 4) / 4;
  const auto at = [&c](double t) {
    const double s = 1 - t;
    return s * s * (s * c[0] + 3 * t * c[1]) + t * t * (3 * s * c[2] + t * c[3]);
  };
  const double found = positive_until(c);
  CHECK(found <= 1 || (c[3] > 0 && found > 1e300));
  CHECK(found > 0 || c[0] <= 0);
  for (int k = 0; k <= 1000; ++k)
    if (const double t = k / 1000.0; t < found) CHECK(at(t) > -1e-12);
  const double after = found + 1e-9;
  if (c[0] > c[1] && c[1] > c[2] && c[2] > c[3] && c[0] > 0 && found < 1) CHECK(at(after) < 0);
}

/// Four pairs at once are filtered as each alone, and what is filtered does not touch.
template <PairKind kind>
int check_filters(testing::Random& random) {
  std::array<LinearPair, 4> pairs;
  std::vector<std::array<Vec3d, 4>> start, end;
  for (LinearPair& p : pairs) {
    p = random_pair(random, 1);
    start.push_back(p.start), end.push_back(p.end);
  }
  const LinearOptions options{random.below(2) == 0 ? 0.2 : 0.0, 1e-6, 20'000};
  const ElementaryContacts found = first_contacts(kind, start, end, options, 1);
  int filtered = 0;
  for (int k = 0; k < 4; ++k) {
    const bool apart = apart_along_axis<kind>(pairs[k], options.separation),
               flat = !never_coplanar<kind>(pairs[k], options.separation);
    filtered += !apart && !flat;
    const LinearContact alone = solve(kind, pairs[k], options);
    if (apart || !flat) CHECK(found.status[k] == 0);
    else CHECK(found.toc[k] == alone.time);
    if (!flat)
      for (int t = 0; t <= 64; ++t)
        CHECK(distance_at(kind, pairs[k], t / 64.0) > options.separation);
  }
  return filtered;
}

}  // namespace

int main() {
  check_short_normal();
  testing::Random random(11);
  for (int i = 0; i < 2000; ++i) check_sliver(random), check_cubic(random);
  int filtered = 0;
  for (int i = 0; i < 1000; ++i)
    filtered += check_filters<PairKind::vertex_face>(random) +
                check_filters<PairKind::edge_edge>(random);
  CHECK(filtered > 100);
  for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge}) {
    int touched = 0;
    constexpr int all = 4000;
    for (int i = 0; i < all; ++i) touched += check_pair(random, kind);
    CHECK(touched > all / 10 && touched < all * 9 / 10);
  }
}
