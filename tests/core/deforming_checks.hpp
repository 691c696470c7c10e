// What deforming steps are held against: all pairs of features, and faces that must not touch.
#pragma once

#include <algorithm>
#include <set>
#include <tuple>

#include "deforming_models.hpp"
#include "toccata/query/deforming/methods.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata::testing {

/// Tests every pair.
inline StepContacts all_pairs(const StepProblem& problem) {
  std::vector<Tester> testers(1, Tester(problem));
  const Features& f = problem.features;
  std::vector<bool> used(f.vertex_count);
  for (std::size_t i = 0; i < f.element_count(); ++i)
    for (const Index v : f.corners(i)) used[v] = true;
  const Index faces = static_cast<Index>(f.faces.size());
  const Index edges = static_cast<Index>(f.edges.size());
  for (Index face = 0; face < faces; ++face) {
    for (Index v = 0; v < static_cast<Index>(f.vertex_count); ++v)
      if (used[v]) testers[0].vertex_face(v, face);
    for (Index e = 0; e < edges; ++e) testers[0].edge_face(e, face);
  }
  for (Index a = 0; a < edges; ++a)
    for (Index b = a + 1; b < edges; ++b) testers[0].edge_edge(a, b);
  return collect(problem, testers);
}

inline bool same(const PairContacts& a, const PairContacts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::tie(x.a, x.b, x.contact.time) == std::tie(y.a, y.b, y.contact.time);
  });
}

/// Features of some faces that touch each other, of those that share no vertex.
inline std::size_t contacts_among(const Model& m, const Features& f, std::span<const Index> faces) {
  const Exceptions none{};
  StepMemory memory;
  const StepFrames frames{m.start, m.end};
  const LinearOptions linear{0, 1e-12 * LocalFrame(frames, 0).diagonal, 2'000};
  const StepProblem problem{f, none, frames, linear, true, memory};
  Tester tester(problem);
  std::set<Index> vertices, edges;
  for (const Index face : faces) {
    const Face& t = f.faces[face];
    vertices.insert(t.begin(), t.end());
    for (int k = 0; k < 3; ++k) {
      const auto [p, q] = std::minmax(t[k], t[(k + 1) % 3]);
      const auto at = std::lower_bound(f.edges.begin(), f.edges.end(), Edge{p, q});
      edges.insert(static_cast<Index>(at - f.edges.begin()));
    }
  }
  for (const Index face : faces) {
    for (const Index v : vertices) tester.vertex_face(v, face);
    for (const Index e : edges) tester.edge_face(e, face);
  }
  for (const Index a : edges)
    for (const Index b : edges)
      if (a < b) tester.edge_edge(a, b);
  return tester.found_vertex_face.size() + tester.found_edge_edge.size() + tester.pierced.size();
}

inline bool equal(const Membership& a, const Membership& b) {
  return a.cluster == b.cluster && std::equal(a.codes, a.codes + Membership::most, b.codes);
}

}  // namespace toccata::testing
