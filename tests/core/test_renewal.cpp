// Clusters of one step serve the next only as far as they are proven again.
#include "check.hpp"
#include "deforming_checks.hpp"
#include "toccata/query/deforming/contacts_by_clusters.hpp"

using namespace toccata;

namespace {

using testing::Model;
using testing::Places;

using Frame = std::vector<Vec3d>;

ClusteredStep step_of(const Features& f, const Frame& start, const Frame& end) {
  const StepFrames frames{start, end};
  return {f, frames, LocalFrame(frames, 0).diagonal};
}

/// Every face is in one leaf cluster of its group, no group touches itself, and no bridge does.
void check_clusters(const Features& f, const Frame& start, const Frame& end, const Clustering& c) {
  const Model m{start, end, {f.faces.begin(), f.faces.end()}, f.loose};
  std::vector<int> seen(f.faces.size());
  std::vector<std::vector<Index>> groups(c.seeds.size());
  for (Index cluster = 0; cluster < c.tree.count(); ++cluster)
    c.tree.for_each_element(cluster, [&](Index face) {
      if (static_cast<std::size_t>(face) >= f.faces.size()) return;
      ++seen[face];
      CHECK(c.leaves[face] == cluster && c.group(face) == c.owners[cluster]);
      groups[c.owners[cluster]].push_back(face);
    });
  CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
  for (const auto& faces : groups) CHECK(testing::contacts_among(m, f, faces) == 0);
  for (std::size_t i = 0; i < c.bridges.size(); ++i) {
    CHECK(i == 0 || c.bridges[i - 1].side < c.bridges[i].side);
    CHECK(testing::contacts_among(m, f, c.bridges[i].faces) == 0);
    for (const Index face : c.bridges[i].faces) {
      const auto& places = c.covers[face].places;
      const bool full = places[Cover::most - 1] != Cover::none;
      CHECK(full || std::count(places, places + Cover::most, c.bridges[i].side) == 1);
    }
  }
}

/// A sheet that is rolled up more and more.
Frame rolled(double angle, double wave) {
  Model m;
  testing::add_sheet(m, 40, 12, [&](double u, double v) {
    const Vec3d p{std::sin(angle * u) / angle, v, (1 - std::cos(angle * u)) / angle};
    return Places(p + Vec3d{0, 0, wave * std::sin(20 * u) * std::sin(11 * v)}, p);
  });
  return m.start;
}

/// Small changes keep most clusters, large ones none; threads change nothing.
void check_renewal() {
  Model m;
  testing::add_sheet(m, 40, 12, [](double u, double v) { return Places({u, v, 0}, {u, v, 0}); });
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  Clustering one, many;
  make_clusters(step_of(f, rolled(4, 0.01), rolled(4.2, 0.01)), true, 1, one);
  make_clusters(step_of(f, rolled(4, 0.01), rolled(4.2, 0.01)), true, 3, many);
  std::size_t changed = 0;
  for (int k = 1; k < 6; ++k) {
    const Frame start = rolled(4 + 0.2 * k, 0.01 + 0.005 * k),
                end = rolled(4.2 + 0.2 * k, 0.015 + 0.005 * k);
    const ClusteredStep step = step_of(f, start, end);
    std::vector<Index> before(f.faces.size());
    for (Index face = 0; face < static_cast<Index>(before.size()); ++face)
      before[face] = one.group(face);
    CHECK(renew_clusters(step, 1, one) && renew_clusters(step, 3, many));
    check_clusters(f, start, end, one);
    CHECK(one.seeds == many.seeds && one.owners == many.owners);
    CHECK(std::equal(one.covers.begin(), one.covers.end(), many.covers.begin(), testing::equal));
    for (Index face = 0; face < static_cast<Index>(before.size()); ++face)
      changed += before[face] != one.group(face);
  }
  CHECK(changed > 0 && changed < f.faces.size());  // some faces were given to other groups
  CHECK(!renew_clusters(step_of(f, rolled(40, 0.3), rolled(1, 0)), 1, one));
}

/// The frames of a sequence: onwards, back, at rest, and all at once.
std::vector<Frame> sequence(const Model& m, testing::Random& random, double noise) {
  std::vector<Frame> frames;
  for (const double t : {0.0, 0.3, 0.35, 0.7, 0.65, 0.65, 1.0, 0.0}) {
    Frame frame;
    for (std::size_t v = 0; v < m.start.size(); ++v)
      frame.push_back(m.start[v] * (1 - t) + m.end[v] * t + random.point(noise));
    frames.push_back(frame);
  }
  return frames;
}

/// Steps with one memory against all pairs; returns how many of them had a contact.
int check_sequence(const Model& m, const std::vector<Frame>& frames) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 1);
  const Exceptions none{};
  StepMemory memory;
  int touching = 0;
  for (std::size_t k = 0; k + 1 < frames.size(); ++k) {
    const StepFrames step{frames[k], frames[k + 1]};
    const LocalFrame local(step, 0);
    // Contacts within the tolerance are optional: a tolerance like rounding leaves none of them.
    const LinearOptions linear{0, 1e-12 * local.diagonal, 2'000};
    const StepProblem problem{f, none, step, linear, true, memory};
    const StepContacts truth = testing::all_pairs(problem);
    const StepContacts found = contacts_by_kept_clusters(problem, local, 1 + k % 3);
    CHECK(testing::same(found.vertex_face, truth.vertex_face));
    CHECK(testing::same(found.edge_edge, truth.edge_edge));
    CHECK(found.initial_edge_face == truth.initial_edge_face);
    CHECK(found.status == truth.status && found.toc == truth.toc);
    touching += found.status != Status::free;
  }
  return touching;
}

/// A sheet shakes for so long that what was kept has to be made anew now and then.
void check_long() {
  Model m;
  testing::add_sheet(m, 24, 16, [](double u, double v) { return Places({u, v, 0}, {u, v, 0}); });
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  testing::Random random(19);
  Clustering c;
  Frame start = m.start;
  int made = 0;
  for (int k = 0; k < 60; ++k) {
    Frame end = m.start;
    for (Vec3d& p : end)
      p = p + Vec3d{0, 0, 0.1 * std::sin(9 * p.x + k)} + random.point(0.012);
    const ClusteredStep step = step_of(f, start, end);
    if (k == 0 || !renew_clusters(step, 2, c)) {
      make_clusters(step, true, 2, c);
      ++made;
    }
    check_clusters(f, start, end, c);
    start = end;
  }
  CHECK(made > 1 && made < 30);
}

}  // namespace

int main() {
  check_renewal();
  check_long();
  testing::Random random(18);
  for (int kind = 0; kind < 5; ++kind) {
    int touching = 0;
    for (int model = 0; model < 6; ++model) {
      const Model m = testing::random_model(random, kind);
      touching += check_sequence(m, sequence(m, random, model % 3 * 0.005));
    }
    CHECK(touching >= 3);  // or there was nothing to find
  }
}
