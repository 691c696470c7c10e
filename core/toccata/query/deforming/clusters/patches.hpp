// Patches of a surface without self-contact, grown ring by ring, which are the leaf clusters of the
// paper; intermediate clusters of several patches; and blocks that are cut from these.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/cells.hpp"
#include "toccata/query/deforming/clusters/proof.hpp"

namespace toccata {

/// Patches, each with a view that certifies it. A patch of a single face is free of self-contact,
/// but its view may be invalid.
struct Patches {
  Partition faces;
  AtomicIndices owners;  ///< patch of each face
  UninitializedVector<View> views;
  Cells cells;                 ///< a patch stays within a cell
  std::vector<Index> first{};  ///< cell i has the patches first[i] .. first[i + 1] - 1

  Index owner(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Grows patches around unassigned faces, one after the other in each cell. Patches do not depend
/// on the number of threads. Otherwise the answers would, because patches decide which pairs that
/// only come within the tolerance are skipped.
Patches grow_patches(const PatchStep& step, unsigned threads);

/// Returns the average number of faces of a patch after a few rings, or of a small part that is a
/// patch, over a sample of seeds from the whole mesh. Takes negligible time.
double sampled_patch_size(const PatchStep& step);

/// A side on the boundary of a patch, from vertex p to vertex q, and the patch across.
struct BoundarySide {
  Index p, q, across;
};

/// Boundaries of all patches.
class PatchBoundaries {
 public:
  PatchBoundaries(const Features& features, const Patches& patches, unsigned threads);

  std::span<const BoundarySide> of(Index patch) const { return of_[patch]; }

 private:
  void collect(const Features& features, const Patches& patches, Index cell);

  std::vector<std::vector<BoundarySide>> sides_;   ///< by cell
  std::vector<std::span<const BoundarySide>> of_;  ///< by patch
};

/// Intermediate clusters as sets of patches. A cluster has the view of its first patch, or one from
/// a point inside it.
struct Merged {
  Partition clusters;
  std::vector<std::uint8_t> from_point;  ///< by cluster: true if its view is from a point
};

/// Merges adjacent patches into intermediate clusters that are free of self-contact.
Merged merge_patches(const PatchStep& step, const Patches& patches, unsigned threads);

/// Blocks: parts of intermediate clusters, small enough to build the tree of one on demand.
/// Intermediate cluster c has the blocks first[c] .. first[c + 1] - 1. All loose edges are one
/// block, the last, as if they were an intermediate cluster.
struct Blocks {
  Partition elements;
  std::vector<Index> first{0};
};

/// Cuts each cluster into blocks of about `most` faces, by rings around seeds.
Blocks cut_clusters(const Features& features, const Patches& patches, const Partition& clusters,
                    Index most, unsigned threads);

}  // namespace toccata
