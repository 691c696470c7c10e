// Where a walk stopped, kept for the next query: the coherence tables of Redon, Kheddar,
// Coquillart 2002 (section 6).
//
// The front is made of the pairs at which the walk over the undivided window stopped, be it only to
// halve the window: descending replaces a pair by pairs that cover the same triangles, so that the
// front covers each pair of triangles once. It is kept by families, since a whole family of pairs
// is tested at the cost of one.
#pragma once

#include "toccata/query/first_contact/interval.hpp"

namespace toccata {

/// Collects the front of one query.
class FrontRecord {
 public:
  /// A place for pairs of a family; none where nothing is recorded.
  using Home = Index;
  static constexpr Home none = -1;

  /// `memory` may be null: nothing is recorded then. No more than `limit` families are.
  FrontRecord(Coherence* memory, std::size_t limit) : memory_(memory), limit_(limit) {
    families_.clear();
  }

  Home add(const Family& family) {
    overflow_ = overflow_ || families_.size() >= limit_;
    if (!memory_ || overflow_) return none;
    families_.push_back({family, 0});
    return static_cast<Home>(families_.size()) - 1;
  }

  void keep(Home home, const NodePair& nodes) {
    if (home == none) return;
    FrontFamily& pairs = families_[home];
    pairs.lanes |= 1u << (pairs.family.of_a ? nodes.a : nodes.b).lane();
  }

  /// Hands the front over to the memory, unless the next query had better start from the roots.
  void store();

 private:
  Coherence* memory_;
  std::size_t limit_;
  bool overflow_ = false;
  // Kept from query to query for its memory.
  inline static thread_local std::vector<FrontFamily> families_;
};

}  // namespace toccata
