// Intermediate clusters: neighbouring clusters that together cannot touch themselves.
#pragma once

#include "toccata/query/deforming/clusters.hpp"

namespace toccata {

/// A partition of the clusters. Group g holds the clusters order[first[g]] .. order[first[g+1] - 1].
struct ClusterGroups {
  std::vector<Index> order, first{0};

  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const Index> clusters(Index g) const {
    return std::span(order).subspan(first[g], first[g + 1] - first[g]);
  }
};

/// Groups clusters, each by a view of its largest one.
ClusterGroups merge_clusters(const Features& features, const FaceLinks& links,
                             const Clusters& clusters);

}  // namespace toccata
