// Ranks of features: they distinguish true corners and creases of a mesh from vertices and edges
// that were introduced by the tessellation of flat faces and straight edges.
#pragma once

#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/narrow/features/near.hpp"

namespace toccata {

/// The rank of each feature of a mesh: 0 for a corner, 1 for a feature on a straight edge, 2 for a
/// feature in a flat face. Contacts need only pairs with ranks that add up to at most 2, such as a
/// corner and a face, or two edges. All other pairs follow from these.
struct FeatureRanks {
  /// Ranks of the three vertices and of the three edges, and the least rank of the features that
  /// the face owns, including itself.
  using OfFace = FaceRanks;
  std::vector<OfFace> faces;

  explicit FeatureRanks(const Mesh& mesh);
};

}  // namespace toccata
