// Which bodies of a simulation may meet during a step: regions that they do not leave, pairs of
// regions that meet, and islands of bodies connected by such pairs.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/geometry/box.hpp"

namespace toccata {

/// Where a body stays during a step.
struct Region {
  Box box;
  bool moves;  ///< or may be moved; what is fixed meets nothing fixed, and connects no islands
  Index robot = -1;  ///< what moves and has the same one is in the same island; -1: none
};

struct RegionPair {
  Index a, b;  ///< a < b
  auto operator<=>(const RegionPair&) const = default;
};

/// Pairs of regions that meet, in order. Keeps its memory from call to call.
class RegionSweep {
 public:
  std::vector<RegionPair>& pairs(std::span<const Region> regions);

 private:
  std::vector<std::pair<double, Index>> order_;
  std::vector<RegionPair> pairs_;
};

/// Bodies and pairs of one island, in order; pairs by their place in the list of all.
struct Island {
  std::vector<Index> bodies;
  std::vector<std::size_t> pairs;
};

/// Every region that moves belongs to one island, every pair to that of its bodies. In the order
/// of their first bodies.
std::vector<Island> find_islands(std::span<const Region> regions,
                                 std::span<const RegionPair> pairs);

}  // namespace toccata
