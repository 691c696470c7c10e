// Bridges from clusters to their neighbours: patches across borders, proven like clusters.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/cells.hpp"
#include "toccata/query/deforming/clusters/cover.hpp"
#include "toccata/query/deforming/clusters/star.hpp"

namespace toccata {

/// A patch around the place where two faces meet at a side.
struct Bridge {
  Index side;                ///< from corner k of face f to corner k + 1: 3 f + k
  std::vector<Index> faces;  ///< inner ones first
  std::size_t inner = 0;     ///< count of those; all if there is no separation

  Index seed() const { return side / 3; }
};

/// A step, and the intermediate cluster of each face.
struct Clustered {
  const PatchStep& step;
  const AtomicIndices& owners;

  const Features& features() const { return step.features; }

  Index cluster(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Wherever faces of two clusters meet at a side, a patch grows around that place for some rings,
/// over faces of all clusters and with a view of its own. Cell by cell, in the order of their
/// sides.
std::vector<Bridge> build_bridges(const Clustered& clusters, const Cells& cells, unsigned threads);

/// Makes the bridges of another step bridges of this one, around the same sides.
void renew_bridges(const Clustered& clusters, unsigned threads, std::vector<Bridge>& bridges);

/// Makes the cover of each face.
void make_covers(const Clustered& clusters, std::span<const Bridge> bridges, unsigned threads,
                 UninitializedVector<Cover>& covers);

/// Adds bridges where some faces are at a border that has none.
void add_bridges(const Clustered& clusters, std::span<const Index> faces,
                 std::vector<Bridge>& bridges, std::span<Cover> covers);

}  // namespace toccata
