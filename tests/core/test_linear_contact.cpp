// Elementary tests against samples of the distance: never later than a sample that touches, never
// far at the time of contact. Exact answers are compared in tests/properties/test_elementary.py.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/geometry/triangle.hpp"
#include "toccata/narrow/linear_contact.hpp"

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
  return kind == PairKind::vertex_face
             ? first_contact(Differences<PairKind::vertex_face>(pair), options, cutoff)
             : first_contact(Differences<PairKind::edge_edge>(pair), options, cutoff);
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
  CHECK(found.time == 0 ||
        solve(kind, pair, options, 0.5 * found.time).outcome == Outcome::free);
  return true;
}

}  // namespace

int main() {
  testing::Random random(11);
  for (const PairKind kind : {PairKind::vertex_face, PairKind::edge_edge}) {
    int touched = 0;
    constexpr int all = 4000;
    for (int i = 0; i < all; ++i) touched += check_pair(random, kind);
    CHECK(touched > all / 10 && touched < all * 9 / 10);
  }
}
