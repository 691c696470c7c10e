// Leaf clusters: patches that cannot touch themselves, grown ring by ring.
#pragma once

#include "toccata/query/deforming/face_links.hpp"
#include "toccata/query/deforming/star_view.hpp"

namespace toccata {

/// A partition of the faces. Cluster c holds the faces order[first[c]] .. order[first[c + 1] - 1],
/// and `views[c]` shows that it does not touch itself. A single face does not, whatever its view.
struct Clusters {
  std::vector<Index> order, first{0};
  std::vector<Index> owner;  ///< of each face
  std::vector<StarView> views;

  Index count() const { return static_cast<Index>(views.size()); }
  std::span<const Index> faces(Index c) const {
    return std::span(order).subspan(first[c], first[c + 1] - first[c]);
  }
};

/// Grows a cluster around each face that none has taken, up to `most` faces.
Clusters grow_clusters(const Features& features, const FaceLinks& links, const StepFrames& frames,
                       double diagonal, Index most);

}  // namespace toccata
