// Method "auto": a walk over pairs of blocks, eight boxes at a time.
#pragma once

#include "toccata/query/deforming/block_tree.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata {

/// Two packs of the same level of a tree, a <= b.
struct PackPair {
  Index level, a, b;
};

/// Walks pairs of packs down to pairs of features, for one thread.
class BlockWalk {
 public:
  BlockWalk(const BlockTree& tree, Tester& tester) : tree_(tree), tester_(tester) {}

  /// Visits all that is below a pair.
  void run(PackPair pair);

  /// The pairs one level below that may touch, for a level above 0.
  void expand(PackPair pair, std::vector<PackPair>& out);

 private:
  struct Side {
    const Block& block;
    MovingBox box;
  };
  template <class Visit>
  void for_each_meeting(PackPair pair, const Visit& visit);
  template <class Meet, class Visit>
  void match(const FeatureBoxes& a, PackRange range_a, const MovingBox& box_a, const FeatureBoxes& b,
             PackRange range_b, const MovingBox& box_b, const Meet& meet, const Visit& visit);
  void blocks(const Side& a, const Side& b);
  void block(const Side& a);
  Side side(Index block) const;

  const BlockTree& tree_;
  Tester& tester_;
};

/// All contacts, or the first, by the walk.
StepContacts contacts_by_blocks(const StepProblem& problem, const LocalFrame& local,
                                unsigned threads);

}  // namespace toccata
