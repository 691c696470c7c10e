// The first contact among candidate pairs of a scene.
#pragma once

#include "toccata/query/rigid/scene_pairs.hpp"
#include "toccata/walk/earliest_first.hpp"

namespace toccata {

struct SceneContact {
  Contact contact;
  Index body_a = -1, body_b = -1;
  Count pairs_tested = 0;  ///< pairs that the broad phase left, and that could be the first
};

/// All pairs in one queue. Keeps its memory from query to query; one per thread.
class SceneSearch {
 public:
  /// The world stays where it is until the last `resume`. `candidates` are sorted.
  SceneContact run(const World& world, std::vector<SceneCandidate> candidates,
                   const SceneQuery& query);

  /// Takes up the last `run`, which ended in a contact, with a smaller separation for all pairs:
  /// what has been proven holds for it too.
  SceneContact resume(double separation);

 private:
  void search();

  std::vector<SceneCandidate> candidates_;
  SceneQuery query_;
  ScenePairs pairs_;
  EarliestFirst<ScenePairs> walk_;
  SceneContact found_;
};

/// By a method that looks at one pair after the other, none beyond the earliest contact so far.
SceneContact search_pairs(const World& world, std::span<const SceneCandidate> candidates,
                          const SceneQuery& query);

}  // namespace toccata
