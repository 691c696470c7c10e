// Probes: tests of whether two bodies touch at one later time. A probe proves the contact that it
// finds, but may miss others. A few tests suffice, because bodies that pass through each other
// overlap much.
#pragma once

#include <optional>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// A contact found by a probe.
struct Touch {
  Index a, b;  ///< elements of body a and body b
  TriangleApproach triangles;
};

/// Searches for a contact below some lanes of siblings, first where the boxes overlap most.
std::optional<Touch> probe(const PairView& view, const Siblings& siblings, unsigned lanes,
                           Stats& stats);

/// Searches for a contact of two bodies from their roots.
inline std::optional<Touch> probe(const PairView& view, Stats& stats) {
  const Expansion<VolumeKind::box> expansion(view.pair(), root_pair());
  return probe(view, expansion.siblings(), expansion.used(), stats);
}

/// Returns the times of successive probes, which divide (0, 1] evenly: 1, 1/2, 1/4, 3/4, 1/8,
/// 5/8...
double probe_time(unsigned k);

}  // namespace toccata
