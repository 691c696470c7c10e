// method="interval": interval arithmetic on hierarchies of oriented boxes (Redon, Kheddar,
// Coquillart 2002).
#pragma once

#include <vector>

#include "toccata/walk/expand.hpp"

namespace toccata {

/// What one query leaves for the next one of the same two meshes, when their motions are similar
/// (the paper's coherence tables). Costs coherence linear in the meshes. One thread at a time; a
/// new one is needed when a mesh is replaced.
struct Coherence {
  /// Where the last walk stopped: every pair of triangles lies below exactly one of these pairs.
  /// Empty: start from the roots.
  std::vector<FrontSiblings> front;
  std::size_t rooted_size = 0;           ///< of the front, when it was last built from the roots
  int age = 0;                           ///< queries since then
  Index element_a = -1, element_b = -1;  ///< triangles of the last contact
  const Mesh *mesh_a = nullptr, *mesh_b = nullptr;  ///< that the above belongs to
};

/// The first contact from `start` on, by the contract of docs/guarantees.md. `coherence` may be
/// null.
Contact interval(const MovingPair& pair, double start, Coherence* coherence);

}  // namespace toccata
