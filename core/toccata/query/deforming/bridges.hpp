// Bridges from clusters to their neighbours: patches across borders that cannot touch themselves.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/cells.hpp"
#include "toccata/query/deforming/cover.hpp"

namespace toccata {

/// A patch around the place where two faces meet at a side.
struct Bridge {
  Index side;  ///< from corner k of face f to corner k + 1: 3 f + k
  std::vector<Index> faces;

  Index seed() const { return side / 3; }
};

/// Intermediate clusters in a step: the group of each face.
struct GroupedStep {
  const Features& features;
  StepFrames frames;
  double diagonal;
  const AtomicIndices& groups;

  Index group(Index face) const { return groups[face].load(std::memory_order_relaxed); }
};

/// Wherever faces of two groups meet at a side, a patch grows around that place for some rings,
/// over faces of all groups and with a view of its own. Cell by cell, in the order of their sides.
std::vector<Bridge> build_bridges(const GroupedStep& step, const Cells& cells, unsigned threads);

/// Makes the bridges of another step bridges of this one, around the same sides.
void renew_bridges(const GroupedStep& step, unsigned threads, std::vector<Bridge>& bridges);

/// Makes the cover of each face.
void make_covers(const GroupedStep& step, std::span<const Bridge> bridges, unsigned threads,
                 UninitializedVector<Cover>& covers);

/// Adds bridges where some faces are at a border that has none.
void add_bridges(const GroupedStep& step, std::span<const Index> faces,
                 std::vector<Bridge>& bridges, std::span<Cover> covers);

}  // namespace toccata
