// Hierarchies and clusters find what a test of all pairs finds; patches are what they claim to be.
#include "check.hpp"
#include "deforming_checks.hpp"
#include "toccata/query/deforming/clusters/patches.hpp"
#include "toccata/query/deforming/methods.hpp"

using namespace toccata;

namespace {

using testing::add_sheet;
using testing::all_pairs;
using testing::Model;
using testing::Places;
using testing::random_model;
using testing::same;

using Method = StepContacts (*)(const StepProblem&, const LocalFrame&, unsigned);
constexpr Method methods[] = {contacts_by_bvh, contacts_by_clusters, contacts_by_kept_clusters};

/// All methods against all pairs; returns the number of contacts.
std::size_t check_model(const Model& m, double separation) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 2);
  const StepFrames frames{m.start, m.end};
  const LocalFrame local(frames, separation);
  const Exceptions none{};
  // Contacts within the tolerance are optional: a tolerance like rounding leaves none of them.
  const LinearOptions linear{separation, 1e-12 * local.diagonal, 2'000};
  StepMemory memory;  // of one method for the next
  const auto problem = [&](bool all) { return StepProblem{f, none, frames, linear, all, memory}; };
  const StepProblem all = problem(true), one = problem(false);
  const StepContacts truth = all_pairs(all), first = all_pairs(one);
  for (const Method method : methods)
    for (const unsigned threads : {1u, 3u}) {
      const StepContacts found = method(all, local, threads);
      CHECK(same(found.vertex_face, truth.vertex_face));
      CHECK(same(found.edge_edge, truth.edge_edge));
      CHECK(found.initial_edge_face == truth.initial_edge_face);
      CHECK(found.status == truth.status && found.toc == truth.toc);
      const StepProblem fresh = problem(false);
      const StepContacts earliest = method(fresh, local, threads);
      CHECK(earliest.status == first.status && earliest.toc == first.toc);
      CHECK(earliest.feature == first.feature);
      CHECK(earliest.earliest.a == first.earliest.a && earliest.earliest.b == first.earliest.b);
    }
  return truth.vertex_face.size() + truth.edge_edge.size();
}

/// A sheet of many faces, rolled up through itself: clusters against a hierarchy of all faces.
void check_large() {
  Model m;
  add_sheet(m, 40, 25, [](double u, double v) {
    const double wave = 0.01 * std::sin(40 * u) * std::sin(30 * v), angle = 9 * u;
    const Vec3d rolled{std::sin(angle) * (1 + 0.1 * v), v, std::cos(angle) * (1 - 0.2 * v * u)};
    return Places({2 * u, v, wave}, rolled);
  });
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  const StepFrames frames{m.start, m.end};
  const LocalFrame local(frames, 0);
  const Exceptions none{};
  StepMemory memory;
  const StepProblem problem{f, none, frames, {0, 1e-12, 2'000}, true, memory};
  const StepContacts truth = contacts_by_bvh(problem, local, 1);
  CHECK(truth.vertex_face.size() > 100);
  for (const unsigned threads : {1u, 2u, 4u}) {
    const StepContacts found = contacts_by_clusters(problem, local, threads);
    CHECK(same(found.vertex_face, truth.vertex_face));
    CHECK(same(found.edge_edge, truth.edge_edge));
    CHECK(found.stats.bv_tests < truth.stats.bv_tests);
  }
}

/// The number of intermediate clusters of a model.
Index cluster_count(const Model& m, unsigned threads = 1) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 2);
  const StepFrames frames{m.start, m.end};
  const PatchStep step{f, frames, LocalFrame(frames, 0).diagonal};
  const Patches patches = grow_patches(step, threads);
  const Partition clusters = merge_patches(step, patches, threads).clusters;
  std::vector<int> seen(f.faces.size());
  for (const Index patch : clusters.order)
    for (const Index face : patches.faces.part(patch)) ++seen[face];
  for (const int count : seen) CHECK(count == 1);
  return clusters.count();
}

/// Faces around one vertex, two rounds of them one above the other. Every face has a positive area
/// and the boundary turns forward only, but twice, and the rounds pass through each other.
Model two_rounds() {
  constexpr Index count = 16;
  Model m;
  m.start.push_back({0, 0, 0});
  for (Index k = 0; k < count; ++k) {
    const double angle = 4 * std::numbers::pi * (k + 0.3) / count, r = k < count / 2 ? 1 : 1.5;
    m.start.push_back({r * std::cos(angle), r * std::sin(angle), 0.3 * std::sin(angle / 2)});
    m.faces.push_back({0, 1 + k, 1 + (k + 1) % count});
  }
  m.end = m.start;
  return m;
}

/// A hexagon of faces around a vertex outside: one is folded over the others and passes through
/// them.
Model folded_over() {
  Model m;
  m.start.push_back({1.5, 0, 0});
  for (Index k = 0; k < 6; ++k) {
    const double angle = std::numbers::pi * (2 * k - 1) / 6;
    m.start.push_back({std::cos(angle), std::sin(angle), k < 2 ? 0.3 : 0});
  }
  for (const Index k : {3, 2, 4, 1, 5, 0}) m.faces.push_back({0, 1 + k, 1 + (k + 1) % 6});
  m.end = m.start;
  for (const Index v : {1, 2}) m.end[v].z = -0.3;
  return m;
}

/// Patches are not merged to what turns around twice, nor with a face that is turned over.
void check_merging() {
  CHECK(cluster_count(two_rounds()) > 1);
  check_model(two_rounds(), 0);
  CHECK(cluster_count(folded_over()) == 2);
  CHECK(check_model(folded_over(), 0) > 0);
}

/// A sheet that stays flat, or gets a few waves, is one cluster. One that winds around twice, and
/// one that turns over, is not.
void check_sheets() {
  const auto sheet = [](const auto& end) {
    Model m;
    add_sheet(m, 8, 8, [&](double u, double v) { return Places({u, v, 0}, end(u, v)); });
    return m;
  };
  CHECK(cluster_count(sheet([](double u, double v) { return Vec3d{u, v, 0}; })) == 1);
  CHECK(cluster_count(
            sheet([](double u, double v) { return Vec3d{u, v, 0.1 * std::sin(9 * u)}; })) == 1);
  CHECK(cluster_count(sheet([](double u, double v) { return Vec3d{u + v, v, 0}; })) == 1);
  CHECK(cluster_count(sheet([](double u, double v) { return Vec3d{u, -v, 0}; })) == 128);
  Model large;  // of several cells
  add_sheet(large, 30, 30, [](double u, double v) { return Places({u, v, 0}, {u, v, u * v}); });
  CHECK(cluster_count(large) == 1 && cluster_count(large, 3) == 1);
  Model ramp;
  add_sheet(ramp, 2, 40, [](double u, double v) {
    const double angle = 4 * std::numbers::pi * v, r = 0.1 + u;
    const Vec3d p{r * std::cos(angle), r * std::sin(angle), 0.01 * v};
    return Places(p, p);
  });
  CHECK(cluster_count(ramp) > 2);
}

/// Only clusters of faces are counted, and of those the ones that still have some: a corner of a
/// sheet is turned over, and later goes back to the rest.
void check_counts() {
  Model m;
  add_sheet(m, 16, 16, [](double u, double v) { return Places({u, v, 0}, {u, v, 0}); });
  const auto corner = std::find_if(m.start.begin(), m.start.end(),
                                   [](const Vec3d& p) { return p.x == 0 && p.y == 1; });
  std::vector<Vec3d> turned = m.start;
  turned[corner - m.start.begin()] = {0.045, 0.955, 0.02};
  m.loose = {{0, 1}};
  const Features f = make_features(m.start.size(), m.faces, m.loose, 1);
  StepMemory memory;
  const auto clusters = [&](const std::vector<Vec3d>& frame) {
    const StepFrames frames{frame, frame};
    const Exceptions none{};
    const StepProblem problem{f, none, frames, {0, 1e-9, 2'000}, true, memory};
    const StepStats stats = contacts_by_kept_clusters(problem, LocalFrame(frames, 0), 1).stats;
    CHECK(stats.leaf_clusters >= stats.intermediate_clusters);
    return stats.intermediate_clusters;
  };
  CHECK(clusters(m.start) == 1);
  CHECK(clusters(turned) == 2);
  CHECK(clusters(m.start) == 1);
}

}  // namespace

int main() {
  check_counts();
  check_merging();
  check_sheets();
  check_large();
  testing::Random random(15);
  for (int kind = 0; kind < testing::model_kinds; ++kind) {
    int touching = 0, models = 0;
    for (; models < 8; ++models)
      touching += check_model(random_model(random, kind), models % 4 == 3 ? 0.02 : 0) > 0;
    CHECK(touching >= 2);  // or there was nothing to find
  }
}
