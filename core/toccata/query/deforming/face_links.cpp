#include "toccata/query/deforming/face_links.hpp"

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

/// The faces at an edge, in the direction of the edge and against it, and how many there are.
struct Sides {
  std::array<Index, 2> face{FaceLinks::none, FaceLinks::none};
  Index count = 0;
};

/// Where the edges with a given lower vertex begin.
std::vector<Index> edge_starts(const Features& f) {
  std::vector<Index> first(f.vertex_count + 1);
  for (const Edge& e : f.edges) ++first[e[0] + 1];
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  return first;
}

}  // namespace

FaceLinks::FaceLinks(const Features& f, unsigned threads) : across(f.faces.size()) {
  const std::vector<Index> first = edge_starts(f);
  // `across` holds the edges of the sides first.
  parallel_for(f.faces.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      for (int k = 0; k < 3; ++k) {
        const Index a = f.faces[i][k], b = f.faces[i][(k + 1) % 3];
        Index e = first[std::min(a, b)];
        while (f.edges[e][1] != std::max(a, b)) ++e;
        across[i][k] = e;
      }
  });
  std::vector<Sides> sides(f.edges.size());
  for (std::size_t i = 0; i < f.faces.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      Sides& at = sides[across[i][k]];
      at.face[f.faces[i][k] > f.faces[i][(k + 1) % 3]] = static_cast<Index>(i);
      ++at.count;
    }
  parallel_for(f.faces.size(), 1 << 12, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      for (int k = 0; k < 3; ++k) {
        const Sides& at = sides[across[i][k]];
        const Index other = at.face[f.faces[i][k] < f.faces[i][(k + 1) % 3]];
        across[i][k] = at.count == 2 && other != static_cast<Index>(i) ? other : none;
      }
  });
}

}  // namespace toccata
