// The first contact of two moving rigid bodies, by the method of the options.
#pragma once

#include <vector>

#include "toccata/base/claim.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Coherence of two meshes, for queries with similar motions and method="interval": the coherence
/// tables of Redon, Kheddar, Coquillart 2002. Its size is linear in the meshes. Concurrent queries
/// work without it.
struct Coherence {
  /// Front of the last query: each pair of triangles lies below exactly one of these node pairs. If
  /// it is empty, the query starts from the roots.
  std::vector<FrontSiblings> front;
  std::size_t rooted_size = 0;           ///< size of the front after the last start from the roots
  int age = 0;                           ///< number of queries since then
  Index element_a = -1, element_b = -1;  ///< triangles of the last contact
  const Mesh *mesh_a = nullptr, *mesh_b = nullptr;  ///< meshes of this coherence
  InUse in_use;
};

/// Returns the first contact, by the contract of docs/guarantees.md. `coherence` serves sequences
/// of similar queries of the same two bodies with method="interval"; it may be null.
Contact first_contact(const Body& a, const Body& b, const Options& options,
                      Coherence* coherence = nullptr);

}  // namespace toccata
