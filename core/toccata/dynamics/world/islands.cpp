// Sweep of regions along x, and the sets of bodies that overlapping regions connect.
#include "toccata/dynamics/world/islands.hpp"

#include <algorithm>
#include <numeric>

namespace toccata {
namespace {

/// Disjoint sets; the smallest member represents its set.
class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Index find(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(Index i, Index j) {
    const Index a = find(i), b = find(j);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace

std::vector<RegionPair>& RegionSweep::pairs(std::span<const Region> regions) {
  order_.clear();
  for (std::size_t i = 0; i < regions.size(); ++i)
    order_.emplace_back(regions[i].box.lo.x, static_cast<Index>(i));
  std::sort(order_.begin(), order_.end());
  pairs_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Index i = order_[k].second;
    for (std::size_t l = k + 1; l < order_.size(); ++l) {
      if (order_[l].first > regions[i].box.hi.x) break;
      const Index j = order_[l].second;
      if ((regions[i].moves || regions[j].moves) && near(regions[i].box, regions[j].box, 0))
        pairs_.push_back({std::min(i, j), std::max(i, j)});
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

std::vector<Island> find_islands(std::span<const Region> regions,
                                 std::span<const RegionPair> pairs) {
  UnionFind sets(regions.size());
  for (const RegionPair& pair : pairs)
    if (regions[pair.a].moves && regions[pair.b].moves) sets.unite(pair.a, pair.b);
  std::vector<Index> first_of_robot;
  for (Index i = 0; i < static_cast<Index>(regions.size()); ++i) {
    const Index robot = regions[i].robot;
    if (robot < 0) continue;
    if (first_of_robot.size() <= static_cast<std::size_t>(robot))
      first_of_robot.resize(robot + 1, -1);
    if (first_of_robot[robot] < 0) first_of_robot[robot] = i;
    sets.unite(first_of_robot[robot], i);
  }
  std::vector<Island> islands;
  std::vector<std::size_t> island_of(regions.size());
  for (Index i = 0; i < static_cast<Index>(regions.size()); ++i) {
    if (!regions[i].moves) continue;
    const Index first = sets.find(i);
    if (first == i) {
      island_of[i] = islands.size();
      islands.emplace_back();
    }
    islands[island_of[first]].bodies.push_back(i);
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Index member = regions[pairs[p].a].moves ? pairs[p].a : pairs[p].b;
    islands[island_of[sets.find(member)]].pairs.push_back(p);
  }
  return islands;
}

}  // namespace toccata
