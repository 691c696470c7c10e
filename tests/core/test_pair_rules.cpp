// Rules for pairs of bodies: no separation and no margin is below the exact sum of its parts, and
// scaling by a power of two changes nothing else.
#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/broad/pair_rules.hpp"
#include "toccata/math/twofold.hpp"

using namespace toccata;

namespace {

constexpr Index bodies = 5, first = 3;

/// Returns whether x >= a + b, without rounding.
bool is_at_least(double x, double a, double b) {
  const auto [sum, rest] = exact_sum(a, b);
  return x > sum || (x == sum && rest <= 0);
}

/// The parts of a table.
struct Parts {
  std::vector<Separations::Entry> entries;
  double rest;
  std::vector<double> around{0, 0, 0};

  explicit Parts(testing::Random& random) : rest(random.below(2) ? random.uniform(0, 1) : 0) {
    for (Index a = 0; a < bodies; ++a)
      for (Index b = a + 1; b < bodies; ++b)
        if (random.below(3) == 0) entries.push_back({{a, b}, random.uniform(0, 2)});
    for (double& distance : around) distance = random.below(3) ? random.uniform(0, 1) : 0;
  }

  Separations table() const {
    Separations result(entries, rest, bodies);
    result.pad(around);
    return result;
  }
  /// Returns the separation of a pair without padding.
  double bare(const BodyIndices& pair) const {
    for (const Separations::Entry& entry : entries)
      if (entry.bodies == pair) return entry.distance;
    return rest;
  }
  double padding(Index i) const { return i < first ? around[i] : 0; }
};

void check_table(const Parts& parts) {
  const Separations table = parts.table(), scaled = table.scaled(3);
  double most = 0;
  for (Index a = 0; a < bodies; ++a)
    for (Index b = a + 1; b < bodies; ++b) {
      const double distance = table.of({a, b}), bare = parts.bare({a, b});
      const double around = parts.padding(a) + parts.padding(b);
      CHECK(is_at_least(distance, bare, around) && distance <= (bare + around) * (1 + 0x1p-50));
      if (bare == 0) CHECK(is_at_least(distance, parts.padding(a), parts.padding(b)));
      CHECK(is_at_least(table.margin(a), bare, parts.padding(a)));
      CHECK(table.margin(a) + table.margin(b) >= distance * (1 - 0x1p-51));
      CHECK(scaled.of({a, b}) == 8 * distance && scaled.margin(a) == 8 * table.margin(a));
      if (a < first) most = std::max(most, distance);
    }
  CHECK(table.most(first) == most);
}

}  // namespace

int main(int argc, char** argv) {
  testing::Random random(testing::seed(argc, argv, 6));
  const int cases = testing::cases(argc, argv, 2000);
  for (int i = 0; i < cases; ++i) check_table(Parts(random));
}
