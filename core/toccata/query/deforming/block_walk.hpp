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
  /// Which features of one block meet the box around another: a bit for each lane of each pack.
  struct Near {
    static constexpr int most = (3 * BlockTree::block_size + lanes - 1) / lanes;
    using Masks = std::array<unsigned, most>;
    Masks faces, edges, vertices;
  };
  /// Features of one kind of one block.
  struct Side {
    const std::vector<FeaturePack>& packs;
    PackRange range;
    const Near::Masks& near;
  };

  template <class Visit>
  void for_each_meeting(PackPair pair, const Visit& visit);
  bool near(const Block& block, const MovingBox& other, Near& out);
  bool near(const std::vector<FeaturePack>& packs, PackRange range, const MovingBox& other,
            Near::Masks& out);
  template <int corners, class Meet, class Visit>
  void match(const Side& a, const Side& b, const Meet& meet, const Visit& visit);
  void between(Index a, Index b);
  void within(Index a);
  MovingBox box(Index block) const;

  const BlockTree& tree_;
  Tester& tester_;
  float cutoff_ = 1;
  Count steps_ = 0;
};

/// All contacts, or the first, by the walk.
StepContacts contacts_by_blocks(const StepProblem& problem, const LocalFrame& local,
                                unsigned threads);

}  // namespace toccata
