// The broad phase of scenes: sort and sweep along x, over boxes of whole motions, then over the
// boxes of windows.
#pragma once

#include <vector>

#include "toccata/broad/candidate.hpp"
#include "toccata/broad/scene_query.hpp"

namespace toccata {

/// The boxes of a world's bodies, sorted along x. Fixed and moving bodies are sorted separately.
class SceneBroadPhase {
 public:
  SceneBroadPhase(const BodySet& world, std::vector<BodyIndices> ignored);

  /// Replaces the ignored pairs.
  void ignore(std::vector<BodyIndices> pairs);
  /// Sorts the boxes again after bodies have moved. `rest_changed` tells that some of them were
  /// fixed before, or are fixed now.
  void update(const BodySet& world, bool rest_changed);

  /// Returns the pairs that may come within the reach of the query, earliest first: pairs of fixed
  /// bodies (`resting`), or all other pairs (`moving`).
  std::vector<Candidate> resting(const BodySet& world, const SceneQuery& query) const;
  std::vector<Candidate> moving(const BodySet& world, const SceneQuery& query) const;

  const std::vector<BodyIndices>& ignored() const { return ignored_; }
  bool ignores(const BodyIndices& pair) const {
    return std::binary_search(ignored_.begin(), ignored_.end(), pair);
  }

 private:
  /// Boxes of bodies in the order of their lower ends along x, in packs.
  struct SortedBoxes {
    std::vector<std::pair<float, Index>> order;
    std::vector<BoxPack> packs;

    Index body(std::size_t k) const { return order[k].second; }
    void choose(const BodySet& world, bool fixed);
    void sort(const BodySet& world);
  };

  struct Search;
  void add_candidates(const SortedBoxes& boxes, std::size_t first, Index body,
                      Search& search) const;

  std::vector<BodyIndices> ignored_;  // sorted
  SortedBoxes fixed_, moving_;
};

}  // namespace toccata
