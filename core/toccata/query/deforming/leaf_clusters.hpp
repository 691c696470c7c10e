// Leaf clusters: pieces of intermediate clusters, small enough to build a tree of one when needed.
#pragma once

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// Those of intermediate cluster g are the leaf clusters first[g] .. first[g + 1] - 1. Loose edges
/// are a leaf cluster, the last one, as if they were an intermediate one.
struct LeafClusters {
  Partition elements;
  std::vector<Index> first{0};
};

/// Cuts each group of patches into rings around seeds, of about `most` faces.
LeafClusters cut_clusters(const Features& features, const Patches& patches, const Partition& groups,
                          Index most, unsigned threads);

}  // namespace toccata
