// Islands of a simulation: regions that bodies do not leave during a step, pairs of regions that
// overlap, and sets of bodies that such pairs connect.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/geometry/box.hpp"

namespace toccata {

/// Box that a body does not leave during a step.
struct Region {
  Box box;
  bool moves;  ///< false: fixed; two fixed bodies form no pair, and fixed bodies connect no islands
  Index robot = -1;  ///< regions with the same value are in one island; -1: any
};

struct RegionPair {
  Index a, b;  ///< a < b
  auto operator<=>(const RegionPair&) const = default;
};

/// Sort-and-sweep along x. Returns overlapping pairs in order. Reuses its buffers across calls.
class RegionSweep {
 public:
  std::vector<RegionPair>& pairs(std::span<const Region> regions);

 private:
  std::vector<std::pair<double, Index>> order_;
  std::vector<RegionPair> pairs_;
};

/// Bodies and pairs of one island, in order; pairs are indices of the list of all pairs.
struct Island {
  std::vector<Index> bodies;
  std::size_t unlisted = 0;  ///< further links, which no pair and no force concerns
  std::vector<std::size_t> pairs;
};

/// Returns the islands in the order of their first bodies. Every moving region belongs to one
/// island, and every pair to the island of its bodies.
std::vector<Island> find_islands(std::span<const Region> regions,
                                 std::span<const RegionPair> pairs);

}  // namespace toccata
