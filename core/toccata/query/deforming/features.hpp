// Features of a deforming mesh that can touch: vertices, edges and faces, with their owners and the
// faces adjacent to each edge.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/bvh/mesh.hpp"

namespace toccata {

using Edge = std::array<Index, 2>;

/// Features of faces and loose edges. An element is a face or, after all faces, a loose edge. A
/// loose edge from a vertex to itself is a particle. Each edge, and each vertex in use, is owned by
/// one element, so a traversal of pairs of elements visits each pair of features once.
struct Features {
  static constexpr Index none = -1;
  using Three = std::array<Index, 3>;  ///< unused entries are `none`

  UninitializedVector<Face> faces;
  std::vector<Edge> loose;
  UninitializedVector<Edge> edges;  ///< all edges, lower vertex first, in lexicographic order
  UninitializedVector<Three> owned_edges, owned_vertices;  ///< for each element
  /// Faces turned over where necessary, so that adjacent faces have opposite directions along their
  /// common side. Empty if no face is turned over.
  UninitializedVector<Face> turned;
  /// For each side of an oriented face, from corner k to corner k + 1: the face across. It is
  /// `none` unless exactly two faces have the side. In a part that cannot be oriented, such as a
  /// Moebius strip, it is also `none` along a cut.
  UninitializedVector<Three> across;
  std::size_t vertex_count = 0;
  std::uint64_t id = 0;  ///< unique id, which only copies share

  /// Returns the faces with the orientation for which `across` holds.
  std::span<const Face> oriented() const { return turned.empty() ? faces : turned; }
  std::size_t element_count() const { return faces.size() + loose.size(); }

  /// Returns the vertices of an element. A loose edge repeats its second vertex.
  Face corners(std::size_t element) const {
    if (element < faces.size()) return faces[element];
    const Edge& e = loose[element - faces.size()];
    return {e[0], e[1], e[1]};
  }
};

/// Makes the features of a mesh and checks all indices. Takes linear time, except for the sorting
/// of edges at each vertex.
Features make_features(std::size_t vertex_count, std::span<const Face> faces,
                       std::span<const Edge> loose, unsigned threads);

}  // namespace toccata
