// What can touch in a deforming mesh: its vertices, edges and faces, who owns them, and which faces
// meet at an edge.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/bvh/mesh.hpp"

namespace toccata {

using Edge = std::array<Index, 2>;

/// The features of faces and loose edges. An element is a face or, after the faces, a loose edge;
/// a loose edge from a vertex to itself is a particle. Each edge, and each vertex in use, is owned
/// by one of its elements, so that a walk over pairs of elements meets each pair of features once.
struct Features {
  static constexpr Index none = -1;
  using Three = std::array<Index, 3>;  ///< places without anything hold `none`

  UninitializedVector<Face> faces;
  std::vector<Edge> loose;
  UninitializedVector<Edge> edges;  ///< all of them, lower vertex first, in lexicographic order
  UninitializedVector<Three> owned_edges, owned_vertices;  ///< of each element
  /// For each side of a face, from corner k to corner k + 1: the face across. There is none unless
  /// exactly two faces have the side, in opposite directions.
  UninitializedVector<Three> across;
  std::size_t vertex_count = 0;
  std::uint64_t id = 0;  ///< unique, but for copies

  std::size_t element_count() const { return faces.size() + loose.size(); }

  /// The vertices of an element; a loose edge repeats its second one.
  Face corners(std::size_t element) const {
    if (element < faces.size()) return faces[element];
    const Edge& e = loose[element - faces.size()];
    return {e[0], e[1], e[1]};
  }
};

/// Checks all indices. Linear in the size of the mesh but for the sorting of edges at a vertex.
Features make_features(std::size_t vertex_count, std::span<const Face> faces,
                       std::span<const Edge> loose, unsigned threads);

}  // namespace toccata
