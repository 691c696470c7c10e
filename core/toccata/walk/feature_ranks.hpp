// Which vertices and edges of a mesh are such only because flat faces and straight edges are cut
// into pieces.
#pragma once

#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/narrow/features/near.hpp"

namespace toccata {

/// The dimension of what a feature is a part of: 0 for a corner, 1 for what lies on an edge, 2 for
/// what lies in a face. Bodies touch where ranks add up to no more than 2: a corner and a face, or
/// two edges; all other pairs follow from these.
struct FeatureRanks {
  /// Of the three vertices, the three edges, and the least of those that the face owns, with 2 for
  /// the face itself.
  using OfFace = FaceRanks;
  std::vector<OfFace> faces;

  explicit FeatureRanks(const Mesh& mesh);
};

}  // namespace toccata
