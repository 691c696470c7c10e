// Faces are oriented consistently wherever that is possible, and clusters do not depend on the
// orientation that the user gives.
#include "check.hpp"
#include "deforming_checks.hpp"
#include "toccata/query/deforming/clusters/clustering.hpp"

using namespace toccata;
using testing::Model;
using testing::Places;
using testing::Random;

namespace {

/// Returns the number of sides with a face across. Two such faces are across each other, have the
/// side in opposite directions, and are the faces of the user, turned over or not.
std::size_t check_across(const Features& f) {
  std::size_t count = 0;
  for (Index face = 0; face < static_cast<Index>(f.faces.size()); ++face) {
    Face own = f.oriented()[face], given = f.faces[face];
    const auto [a, b, c] = given;
    CHECK(own == given || own == (Face{a, c, b}));
    for (int k = 0; k < 3; ++k) {
      const Index other = f.across[face][k];
      if (other == Features::none) continue;
      ++count;
      bool found = false;
      for (int j = 0; j < 3; ++j)
        found |= f.across[other][j] == face && f.oriented()[other][j] == own[(k + 1) % 3] &&
                 f.oriented()[other][(j + 1) % 3] == own[k];
      CHECK(found);
    }
  }
  return count;
}

std::size_t cluster_count(const Model& m) {
  const Features f = make_features(m.start.size(), m.faces, {}, 2);
  const StepFrames frames{m.start, m.end};
  Clustering clusters;
  make_clusters({f, frames, LocalFrame(frames, 0).diagonal}, 2, clusters);
  return clusters.seeds.size();
}

/// A sheet and a ball remain one cluster, however many of their faces are turned over.
void check_shares(Random& random) {
  Model sheet, ball;
  testing::add_sheet(sheet, 40, 40, [](double u, double v) {
    return Places({u, v, 0}, {u, v, 0.1 * std::sin(5 * u)});
  });
  testing::add_ball(ball, {24, 40, 1, true}, [](double polar, double azimuth) {
    const Vec3d p = testing::on_sphere(polar, azimuth);
    return Places(p, p * 1.1);
  });
  for (const double share : {0.0, 0.01, 0.3, 0.5, 1.0})
    for (Model m : {sheet, ball}) {
      const Features before = make_features(m.start.size(), m.faces, {}, 1);
      testing::turn_over(m, random, share);
      const Features f = make_features(m.start.size(), m.faces, {}, 3);
      CHECK(check_across(f) == check_across(before));
      CHECK(before.turned.empty());
      CHECK(cluster_count(m) == 1);
    }
}

/// A Moebius strip is cut between two faces or more, and remains adjacent elsewhere.
void check_strip(Random& random) {
  constexpr Index count = 40;
  Model m;
  for (Index i = 0; i < count; ++i)
    for (const double side : {-0.3, 0.3}) {
      const double angle = 2 * std::numbers::pi * i / count, r = 1 + side * std::cos(angle / 2);
      m.start.push_back({r * std::cos(angle), r * std::sin(angle), side * std::sin(angle / 2)});
    }
  m.end = m.start;
  for (Index i = 0; i < count; ++i) {
    const bool last = i + 1 == count;
    const Index a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    m.faces.push_back({a, c, d});
    m.faces.push_back({a, d, b});
  }
  for (int k = 0; k < 5; ++k) {
    const std::size_t sides = check_across(make_features(m.start.size(), m.faces, {}, 1));
    CHECK(sides == 2 * (2 * count - 1));
    testing::turn_over(m, random, 0.2 * k);
  }
  CHECK(cluster_count(m) > 1);
}

/// Edges of three faces are no common sides.
void check_joints() {
  Model m;
  m.start = m.end = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  m.faces = {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {0, 1, 2}};
  CHECK(check_across(make_features(5, m.faces, {}, 1)) == 4);  // of the repeated face
}

}  // namespace

int main(int argc, char** argv) {
  Random random(41);
  check_shares(random);
  check_strip(random);
  check_joints();
  const int count = static_cast<int>(testing::cases(argc, argv, 60));
  for (int i = 0; i < count; ++i) {
    const Model m = testing::random_model(random, i % testing::model_kinds);
    check_across(make_features(m.start.size(), m.faces, m.loose, 1 + i % 3));
  }
}
