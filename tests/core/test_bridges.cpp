// Bridges between clusters do not touch themselves, and there are enough of them.
#include <map>

#include "check.hpp"
#include "deforming_checks.hpp"

using namespace toccata;
using testing::contacts_among;
using testing::equal;
using testing::Model;
using testing::Places;

namespace {

UninitializedVector<Membership> memberships_of(const Model& m, const Features& f,
                                               unsigned threads) {
  const StepFrames frames{m.start, m.end};
  Clustering clusters;
  make_clusters({f, frames, LocalFrame(frames, 0).diagonal}, threads, clusters);
  return std::move(clusters.memberships);
}

/// What a model shows of its bridges.
struct Survey {
  std::size_t bridges = 0;
  std::size_t sides = 0,
              joined = 0;  ///< between two clusters, and those of them that a bridge joins
};

/// No bridge touches itself, each is in one piece, and threads change nothing.
Survey survey(const Model& m) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 2);
  const UninitializedVector<Membership> memberships = memberships_of(m, f, 1),
                                        threaded = memberships_of(m, f, 3);
  CHECK(
      std::equal(memberships.begin(), memberships.end(), threaded.begin(), threaded.end(), equal));
  std::map<Index, std::vector<Index>> bridges;
  Survey out;
  for (Index face = 0; face < static_cast<Index>(f.faces.size()); ++face) {
    for (const Index bridge : memberships[face].codes)
      if (bridge != Membership::none) bridges[bridge].push_back(face);
    for (const Index other : f.across[face])
      if (other != Features::none && memberships[other].cluster < memberships[face].cluster) {
        ++out.sides;
        out.joined += bridged(memberships[face], memberships[other]);
      }
  }
  for (const auto& [id, faces] : bridges) CHECK(contacts_among(m, f, faces) == 0);
  out.bridges = bridges.size();
  return out;
}

/// Around a tube no direction sees all faces, but every border has a bridge.
void check_smooth() {
  Model m;
  testing::add_sheet(m, 20, 40, [](double u, double v) {
    const double angle = 1.9 * std::numbers::pi * v;
    const Vec3d p{2 * u, std::cos(angle), std::sin(angle)};
    return Places(p, p * 1.1);
  });
  const Survey tube = survey(m);
  CHECK(tube.sides >= 20 && tube.joined == tube.sides);
}

/// A sheet that turns over within the step has no bridge.
void check_turning() {
  Model m;
  testing::add_sheet(m, 8, 8, [](double u, double v) { return Places({u, v, 0}, {u, -v, 0}); });
  const Survey flat = survey(m);
  CHECK(flat.sides > 0 && flat.bridges == 0);
}

/// With all of them inner, or none.
Membership membership(Index cluster, std::initializer_list<Index> bridges, bool inner = true) {
  Membership c = Membership::in(PatchCode::of(cluster, inner));
  for (const Index bridge : bridges) c.add(PatchCode::of(bridge, inner));
  return c;
}

/// Empty codes are no bridge, and what is common to two is on both.
void check_covers() {
  const Membership empty = membership(1, {}), some = membership(1, {5, 7}),
                   more = membership(2, {9, 8, 6, 5});
  CHECK(!bridged(empty, empty) && !bridged(empty, more) && !bridged(some, empty));
  CHECK(bridged(some, more) && bridged(more, some) && !bridged(some, membership(1, {9, 8, 6})));
  CHECK(!on_some_bridge(empty) && on_some_bridge(some));
  CHECK(common(some, more).cluster == Membership::none &&
        PatchCode::patch(common(some, empty).cluster) == 1);
  CHECK(bridged(common(some, more), membership(3, {5})) &&
        !bridged(common(some, more), membership(3, {7})));
  CHECK(!on_some_bridge(common(some, empty)));
  // All four codes are looked at in both, and a fifth bridge is forgotten.
  const Membership full = membership(0, {1, 2, 3, 4, 5});
  for (const Index id : {1, 2, 3, 4}) {
    CHECK(bridged(full, membership(1, {id})) && bridged(membership(1, {id}), full));
    CHECK(bridged(membership(1, {11, 12, 13, id}), full));
  }
  CHECK(!bridged(full, membership(1, {5})));
}

/// Two faces of a patch are proven apart if one of them is inner; those below a node are inner if
/// all of them are.
void check_inner() {
  const Membership inner = membership(1, {5, 7}), outer = membership(1, {7, 3, 5}, false);
  CHECK(clustered(inner, inner) && clustered(inner, outer) && clustered(outer, inner));
  CHECK(!clustered(outer, outer) && !clustered(inner, membership(2, {})));
  CHECK(!clustered(Membership::in(Membership::none), Membership::in(Membership::none)));
  CHECK(!clustered(Membership::in(PatchCode::of(-1, false)), Membership::in(Membership::none)));
  CHECK(bridged(inner, outer) && bridged(outer, inner) && !bridged(outer, outer));
  const Membership both = common(inner, outer);
  CHECK(!clustered(both, outer) && clustered(both, inner) && on_some_bridge(both));
  CHECK(!bridged(both, outer) && bridged(both, inner) && !bridged(both, membership(2, {3})));
  const Membership codes = common(membership(0, {1, 2, 3, 4}), membership(0, {4, 1, 2, 3}, false));
  for (const Index id : {1, 2, 3, 4})
    CHECK(bridged(codes, membership(1, {id})) && !bridged(codes, membership(1, {id}, false)));
}

}  // namespace

int main() {
  check_covers();
  check_inner();
  check_smooth();
  check_turning();
  testing::Random random(16);
  for (int kind = 0; kind < testing::model_kinds; ++kind) {
    std::size_t bridges = 0;
    for (int model = 0; model < 12; ++model)
      bridges += survey(testing::random_model(random, kind)).bridges;
    if (kind < 4) CHECK(bridges > 0);  // unconnected triangles have none
  }
}
