// Where a walk stopped, kept for the next query: the coherence tables of Redon, Kheddar,
// Coquillart 2002 (section 6).
//
// The front is made of the pairs at which the walk over the undivided window stopped, be it only to
// halve the window: descending replaces a pair by pairs that cover the same triangles, so that the
// front covers each pair of triangles once. It is kept by siblings, since a whole siblings of pairs
// is tested at the cost of one.
#pragma once

#include "toccata/query/first_contact/interval.hpp"

namespace toccata {

/// Collects the front of one query.
class FrontRecord {
 public:
  /// A place for pairs of a siblings; none where nothing is recorded.
  using Home = Index;
  static constexpr Home none = -1;

  /// `coherence` may be null: nothing is recorded then. No more than `limit` siblings are.
  FrontRecord(Coherence* coherence, std::size_t limit) : coherence_(coherence), limit_(limit) {
    siblings_.clear();
  }

  Home add(const Siblings& siblings) {
    overflow_ = overflow_ || siblings_.size() >= limit_;
    if (!coherence_ || overflow_) return none;
    siblings_.push_back({siblings, 0});
    return static_cast<Home>(siblings_.size()) - 1;
  }

  void keep(Home home, const NodePair& nodes) {
    if (home == none) return;
    FrontSiblings& pairs = siblings_[home];
    pairs.lanes |= 1u << (pairs.nodes.of_a ? nodes.a : nodes.b).lane();
  }

  /// Hands the front over to the coherence, unless the next query had better start from the roots.
  void store();

 private:
  Coherence* coherence_;
  std::size_t limit_;
  bool overflow_ = false;
  // Kept from query to query for its coherence.
  inline static thread_local std::vector<FrontSiblings> siblings_;
};

}  // namespace toccata
