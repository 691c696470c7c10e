// Patches of a surface that cannot touch themselves, grown ring by ring, and what they become:
// intermediate clusters of several patches, and leaf clusters that are cut from those.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/cells.hpp"
#include "toccata/query/deforming/clusters/star.hpp"

namespace toccata {

/// Each patch has a view that shows why it does not touch itself. A patch of a single face does not
/// either, but its view may show nothing.
struct Patches {
  Partition faces;
  AtomicIndices owners;  ///< the patch of each face
  UninitializedVector<StarView> views;
  Cells cells;                 ///< a patch stays within a cell
  std::vector<Index> first{};  ///< those of cell i are the patches first[i] .. first[i + 1] - 1

  Index owner(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Grows patches around faces that none has taken, one after the other in each cell. They do not
/// depend on the number of threads: otherwise other pairs that come within the tolerance but do not
/// touch would be skipped, and the answers would depend on it too.
Patches grow_patches(const PatchStep& step, unsigned threads);

/// How many faces a patch has after a few rings, on average over some seeds from all over the mesh.
/// It takes hardly any time.
double sampled_patch_size(const PatchStep& step);

/// A side on the boundary of a patch, from vertex p to vertex q, and the patch across.
struct Border {
  Index p, q, across;
};

/// The boundaries of all patches.
class PatchBorders {
 public:
  PatchBorders(const Features& features, const Patches& patches, unsigned threads);

  std::span<const Border> of(Index patch) const { return of_[patch]; }

 private:
  void collect(const Features& features, const Patches& patches, Index cell);

  std::vector<std::vector<Border>> sides_;   ///< of each cell
  std::vector<std::span<const Border>> of_;  ///< of each patch
};

/// Intermediate clusters: sets of neighbouring patches that together cannot touch themselves,
/// each with the view of its largest one.
Partition merge_patches(const Features& features, const Patches& patches, unsigned threads);

/// Parts of intermediate clusters, small enough to build a tree of one when needed. Those of
/// intermediate cluster c are the leaf clusters first[c] .. first[c + 1] - 1. Loose edges
/// are a leaf cluster, the last one, as if they were an intermediate one.
struct LeafClusters {
  Partition elements;
  std::vector<Index> first{0};
};

/// Cuts each cluster into rings around seeds, of about `most` faces.
LeafClusters cut_clusters(const Features& features, const Patches& patches,
                          const Partition& clusters, Index most, unsigned threads);

}  // namespace toccata
