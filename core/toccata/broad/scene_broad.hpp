// The broad phase of scenes: pairs of bodies whose boxes come near each other.
#pragma once

#include <vector>

#include "toccata/broad/candidate.hpp"
#include "toccata/broad/scene_query.hpp"

namespace toccata {

/// Boxes of the bodies of a world, sorted along x.
class SceneBroadPhase {
 public:
  SceneBroadPhase(const World& world, std::vector<BodyIndices> ignored);

  /// These pairs are no candidates from now on.
  void ignore(std::vector<BodyIndices> pairs);
  /// Bodies have moved; `rest_changed` if some of them stayed before, or stay now.
  void update(const World& world, bool rest_changed);

  /// Pairs that come within reach, earliest first: of two bodies that stay, and all others.
  std::vector<Candidate> resting(const World& world, const SceneQuery& query) const;
  std::vector<Candidate> moving(const World& world, const SceneQuery& query) const;

  const std::vector<BodyIndices>& ignored() const { return ignored_; }
  bool ignores(const BodyIndices& pair) const {
    return std::binary_search(ignored_.begin(), ignored_.end(), pair);
  }

 private:
  /// Boxes of bodies in the order of their lower ends along x, eight at a time.
  struct SortedBoxes {
    std::vector<std::pair<float, Index>> order;
    std::vector<BoxPack> packs;

    Index body(std::size_t k) const { return order[k].second; }
    void choose(const World& world, bool fixed);
    void sort(const World& world);
  };

  struct Looking;
  void add_candidates(const SortedBoxes& boxes, std::size_t first, Index body,
                      Looking& looking) const;

  std::vector<BodyIndices> ignored_;  // sorted
  SortedBoxes fixed_, moving_;
};

}  // namespace toccata
