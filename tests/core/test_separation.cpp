// With a separation, clusters and bridges prove what they claim, and methods find what a test of
// all pairs finds: thin and thick, flat and folded, at rest and in motion, with slivers.
#include "check.hpp"
#include "deforming_checks.hpp"

using namespace toccata;
using testing::Model;
using testing::Places;

namespace {

/// The least height of a face at the start.
double least_height(const Model& m) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : m.faces) {
    const Vec3d ab = m.start[b] - m.start[a], ac = m.start[c] - m.start[a];
    const double longest = std::max({norm(ab), norm(ac), norm(ab - ac)});
    least = std::min(least, norm(cross(ab, ac)) / longest);
  }
  return least;
}

/// Tests the features of one face against those of another, of those that share no vertex.
void test_faces(const Features& f, Index face, Index other, Tester& tester) {
  const auto edges = [&](Index i) {
    std::array<Index, 3> ids;
    for (int k = 0; k < 3; ++k) {
      const auto [p, q] = std::minmax(f.faces[i][k], f.faces[i][(k + 1) % 3]);
      ids[k] = static_cast<Index>(std::lower_bound(f.edges.begin(), f.edges.end(), Edge{p, q}) -
                                  f.edges.begin());
    }
    return ids;
  };
  for (const Index v : f.faces[face]) tester.vertex_face(v, other);
  for (const Index v : f.faces[other]) tester.vertex_face(v, face);
  for (const Index a : edges(face))
    for (const Index b : edges(other))
      if (a != b) tester.edge_edge(a, b);
}

/// What the proofs of a model are worth.
struct Survey {
  std::size_t proven = 0, pairs = 0;  ///< pairs of faces that are skipped, and all
};

/// No two faces that are skipped come within the separation of each other.
Survey check_proofs(const Model& m, double separation) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 1);
  const StepFrames frames{m.start, m.end};
  const double diagonal = LocalFrame(frames, separation).diagonal;
  const Exceptions none{};
  StepMemory memory;
  const StepProblem problem{f, none, frames, {separation, 1e-12 * diagonal, 2'000}, true, memory};
  Clustering clusters;
  make_clusters({f, frames, diagonal, separation}, 2, clusters);
  Tester tester(problem);
  Survey out;
  const Index count = static_cast<Index>(f.faces.size());
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < i; ++j) {
      const Membership &a = clusters.memberships[i], &b = clusters.memberships[j];
      ++out.pairs;
      if (!clustered(a, b) && !bridged(a, b)) continue;
      ++out.proven;
      test_faces(f, i, j, tester);
    }
  CHECK(tester.found_vertex_face.empty() && tester.found_edge_edge.empty());
  return out;
}

/// Methods against all pairs; returns the contacts.
std::size_t check_answers(const Model& m, double separation) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 1);
  const StepFrames frames{m.start, m.end};
  const LocalFrame local(frames, separation);
  const Exceptions none{};
  const LinearOptions linear{separation, 1e-12 * local.diagonal, 2'000};
  StepMemory memory;
  const auto problem = [&](bool all) { return StepProblem{f, none, frames, linear, all, memory}; };
  const StepProblem all = problem(true), one = problem(false);
  const StepContacts truth = testing::all_pairs(all), first = testing::all_pairs(one);
  for (const unsigned threads : {1u, 2u}) {
    const StepContacts found = contacts_by_kept_clusters(all, local, threads);
    CHECK(testing::same(found.vertex_face, truth.vertex_face));
    CHECK(testing::same(found.edge_edge, truth.edge_edge));
    CHECK(found.initial_edge_face == truth.initial_edge_face && found.toc == truth.toc);
    const StepProblem fresh = problem(false);
    const StepContacts earliest = contacts_by_clusters(fresh, local, threads);
    CHECK(earliest.status == first.status && earliest.toc == first.toc);
  }
  return truth.vertex_face.size() + truth.edge_edge.size();
}

/// A sheet with waves, noise in its plane, and a fold; some rows are squeezed to slivers.
Model sheet(testing::Random& random, Index size) {
  Model m;
  const double wave = random.uniform(0, 0.1), noise = random.uniform(0, 0.3) / size;
  const double fold = random.uniform(0, 3), motion = random.below(3) * random.uniform(0, 0.1);
  const double sliver = random.below(2) ? random.uniform(0.02, 1) : 1;
  testing::add_sheet(m, size, size, [&](double u, double v) {
    const double y = v < 0.5 ? v : 0.5 + sliver * (v - 0.5);
    const Vec3d flat = Vec3d{u, y, wave * std::sin(7 * u) * std::sin(9 * y)} + random.point(noise);
    const double angle = fold * flat.x;
    const Vec3d bent{std::sin(angle) / (fold + 1e-9) + flat.z * std::cos(angle), flat.y,
                     (1 - std::cos(angle)) / (fold + 1e-9) + flat.z * std::sin(angle)};
    return Places(fold < 0.5 ? flat : bent,
                  (fold < 0.5 ? flat : bent) + random.point(motion / size));
  });
  return m;
}

/// A flat sheet at rest has known distances: thinner than its least height, only faces at its edge
/// are left; thicker than that, all is in contact at once.
void check_flat() {
  Model m;
  testing::add_sheet(m, 12, 12, [](double u, double v) {
    return Places({12 * u, 12 * v, 0}, {12 * u, 12 * v, 0});
  });
  const double height = least_height(m);
  CHECK(std::abs(height - std::sqrt(0.5)) < 1e-12);
  const Survey thin = check_proofs(m, 0.99 * height);
  CHECK(thin.proven > 0.8 * static_cast<double>(thin.pairs));
  CHECK(check_answers(m, 0.99 * height) == 0);
  CHECK(check_proofs(m, 1.01 * height).proven == 0);
  CHECK(check_answers(m, 1.01 * height) > 100);
}

/// A sheet of 10 x 10 quads with a slit from its middle to one edge, rolled up along one side or
/// the other: the vertices on the slit are there twice, a little apart.
Model slit_sheet(double angle, bool along) {
  constexpr Index size = 10, width = size + 1, middle = size / 2;
  constexpr double opening = 0.05;
  Model m;
  const auto rolled = [&](double x, double y) {
    const double s = along ? x : y, r = size / angle;
    const Vec3d p{r * std::sin(s / r), along ? y : x, r * (1 - std::cos(s / r))};
    return angle < 1e-3 ? Vec3d{x, y, 0} : p;
  };
  testing::add_sheet(m, size, size,
                     [&](double u, double v) { return Places(rolled(size * u, size * v), {}); });
  std::vector<Index> twin(m.start.size(), -1);
  for (Index i = middle + 1; i <= size; ++i) {
    twin[i * width + middle] = static_cast<Index>(m.start.size());
    m.start.push_back(rolled(i, middle + opening));
  }
  m.end = m.start;
  for (Face& face : m.faces)
    if (std::any_of(face.begin(), face.end(), [](Index v) { return v % width > middle; }))
      for (Index& v : face)
        if (twin[v] >= 0) v = twin[v];
  return m;
}

/// The boundary of a patch may be close to itself across a slit, which its inside does not see.
void check_slit() {
  for (const bool along : {false, true})
    for (double angle = 0; angle < 6; angle += 1)
      for (const double separation : {0.04, 0.06, 0.3}) {
        const Model m = slit_sheet(angle, along);
        CHECK(check_proofs(m, separation).proven > 0);
        if (angle < 4) CHECK((check_answers(m, separation) > 0) == (separation > 0.05));
      }
}

}  // namespace

int main(int argc, char** argv) {
  check_flat();
  check_slit();
  testing::Random random(23);
  const int count = static_cast<int>(testing::cases(argc, argv, 40));
  std::size_t touching = 0, proven = 0, pairs = 0;
  for (int i = 0; i < count; ++i) {
    const Model m = sheet(random, 6 + random.below(5));
    const double separation = least_height(m) * random.uniform(0.02, i % 4 == 0 ? 2 : 0.9);
    const Survey survey = check_proofs(m, separation);
    proven += survey.proven;
    pairs += survey.pairs;
    touching += check_answers(m, separation) > 0;
  }
  CHECK(proven * 5 > pairs);  // a sample without proofs says nothing
  CHECK(touching > 0 && touching < static_cast<std::size_t>(count));
  for (int kind = 0; kind < testing::model_kinds; ++kind)
    for (int k = 0; k < 4; ++k) {
      const Model m = testing::random_model(random, kind);
      check_proofs(m, random.uniform(0, 0.1));
    }
}
