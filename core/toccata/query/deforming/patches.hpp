// Patches of a surface that cannot touch themselves, grown ring by ring.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/cells.hpp"
#include "toccata/query/deforming/star_view.hpp"

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
Patches grow_patches(const Features& features, const StepFrames& frames, double diagonal,
                     unsigned threads);

}  // namespace toccata
