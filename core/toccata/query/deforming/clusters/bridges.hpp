// Bridges between adjacent clusters: patches across seams, certified like clusters.
#pragma once

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/cells.hpp"
#include "toccata/query/deforming/clusters/membership.hpp"
#include "toccata/query/deforming/clusters/star.hpp"

namespace toccata {

/// A patch around a side at which two faces meet.
struct Bridge {
  Index side;                ///< from corner k of face f to corner k + 1: 3 f + k
  std::vector<Index> faces;  ///< inner faces first
  std::size_t inner = 0;     ///< number of inner faces; all faces if there is no separation

  Index seed() const { return side / 3; }
};

/// A step, and the intermediate cluster of each face.
struct Clustered {
  const PatchStep& step;
  const AtomicIndices& owners;

  const Features& features() const { return step.features; }

  Index cluster(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Grows a patch of some rings around each side at which faces of two clusters meet, over faces of
/// all clusters and with its own view. Proceeds cell by cell, in the order of the sides.
std::vector<Bridge> build_bridges(const Clustered& clusters, const Cells& cells, unsigned threads);

/// Converts the bridges of another step to bridges of this one, around the same sides.
void renew_bridges(const Clustered& clusters, unsigned threads, std::vector<Bridge>& bridges);

/// Computes the membership of each face.
void make_memberships(const Clustered& clusters, std::span<const Bridge> bridges, unsigned threads,
                      UninitializedVector<Membership>& memberships);

/// Adds bridges at the given faces, at sides of a seam that no bridge crosses.
void add_bridges(const Clustered& clusters, std::span<const Index> faces,
                 std::vector<Bridge>& bridges, std::span<Membership> memberships);

}  // namespace toccata
