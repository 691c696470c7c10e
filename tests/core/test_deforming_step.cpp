// Every method finds the pairs that brute force over all features finds.
#include <algorithm>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/deforming/step.hpp"

using namespace toccata;

namespace {

struct Case {
  std::vector<Vec3d> start, end;
  std::vector<Face> faces;
  std::vector<Edge> loose;
};

/// A sheet that is wrinkled, moved and torn, with strands and particles around it.
Case random_case(testing::Random& random) {
  Case c;
  const int n = 3 + random.below(5);
  const double wrinkle = random.uniform(0, 1), drift = random.uniform(0, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      c.start.push_back(Vec3d{1.0 * i, 1.0 * j, 0} + random.point(0.3 * wrinkle));
      c.end.push_back(c.start.back() + random.point(2 * drift));
    }
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j) {
      const Index a = i * n + j;
      if (random.below(8) == 0) continue;
      c.faces.push_back({a, a + n, a + 1});
      c.faces.push_back({a + 1, a + n, random.below(10) ? a + n + 1 : a + 1});
    }
  for (Index k = random.below(4); k > 0; --k) {
    const Index v = static_cast<Index>(c.start.size());
    for (int side = 0; side < 2; ++side) {
      c.start.push_back(random.point(n));
      c.end.push_back(random.point(n));
    }
    c.loose.push_back(random.below(2) ? Edge{v, v + 1} : Edge{v, v});
  }
  return c;
}

bool same(const PairContacts& x, const PairContacts& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) {
    return p.a == q.a && p.b == q.b && p.contact.time == q.contact.time;
  });
}

template <PairKind kind>
void brute(const Case& c, const LinearOptions& options, const std::array<Index, 4>& v, Index a,
           Index b, PairContacts& found) {
  constexpr int split = kind == PairKind::vertex_face ? 1 : 2;
  LinearPair pair;
  for (int i = 0; i < 4; ++i) {
    for (int j = split; i < split && j < 4; ++j)
      if (v[i] == v[j]) return;
    pair.start[i] = c.start[v[i]], pair.end[i] = c.end[v[i]];
  }
  const LinearContact contact = first_contact<kind>(pair, options);
  if (contact.outcome != Outcome::free) found.push_back({a, b, contact});
}

StepContacts brute_force(const Case& c, const Features& f, const LinearOptions& options) {
  StepContacts out;
  std::vector<bool> used(c.start.size());
  for (const Edge& e : f.edges) used[e[0]] = used[e[1]] = true;
  for (Index v = 0; v < static_cast<Index>(used.size()); ++v)
    for (Index t = 0; used[v] && t < static_cast<Index>(c.faces.size()); ++t)
      brute<PairKind::vertex_face>(c, options, {v, c.faces[t][0], c.faces[t][1], c.faces[t][2]}, v,
                                   t, out.vertex_face);
  const Index edges = static_cast<Index>(f.edges.size());
  for (Index a = 0; a < edges; ++a)
    for (Index b = a + 1; b < edges; ++b)
      brute<PairKind::edge_edge>(c, options,
                                 {f.edges[a][0], f.edges[a][1], f.edges[b][0], f.edges[b][1]}, a, b,
                                 out.edge_edge);
  return out;
}

double earliest(const StepContacts& contacts) {
  double time = std::numeric_limits<double>::infinity();
  for (const auto* pairs : {&contacts.vertex_face, &contacts.edge_edge})
    for (const PairContact& p : *pairs) time = std::min(time, p.contact.time);
  return time;
}

bool check_case(testing::Random& random) {
  const Case c = random_case(random);
  const Features f = make_features(c.start.size(), c.faces, c.loose, 1);
  StepOptions options;
  // Pairs within the tolerance are listed by all methods, or by none.
  options.tolerance = random.below(3) ? 1e-6 : 1e-2;
  options.separation = random.below(3) == 0 ? 0.1 : 0;
  const StepContacts truth = brute_force(c, f, {options.separation, options.tolerance});
  const double first = earliest(truth);
  for (const StepMethod method : {StepMethod::automatic, StepMethod::bvh, StepMethod::clusters})
    for (const unsigned threads : {1u, 3u}) {
      options.method = method;
      options.threads = threads;
      options.all_contacts = true;
      const StepContacts all = step_contacts(f, {}, {c.start, c.end}, options);
      CHECK(same(all.vertex_face, truth.vertex_face));
      CHECK(same(all.edge_edge, truth.edge_edge));
      options.all_contacts = false;
      const StepContacts one = step_contacts(f, {}, {c.start, c.end}, options);
      CHECK(one.earliest.contact.time == first);
      CHECK(one.initial_edge_face == all.initial_edge_face);
      CHECK((one.status == Status::free) == (first > 1 && one.initial_edge_face.empty()));
    }
  return first <= 1;
}

}  // namespace

int main() {
  testing::Random random(5);
  int touched = 0;
  constexpr int all = 150;
  for (int i = 0; i < all; ++i) touched += check_case(random);
  CHECK(touched > all / 4 && touched < all);
}
