// The front of method="interval", kept for the next query: the coherence tables of Redon, Kheddar,
// Coquillart 2002 (section 6).
//
// The front consists of the node pairs at which the traversal of the undivided window stopped, even
// if only to halve the window. Each pair of triangles lies below exactly one of them, because a
// descent replaces a node pair by its children. The front is stored by siblings, because eight
// siblings are tested at the cost of one node pair.
#pragma once

#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {

/// Collects the front of one query.
class FrontRecord {
 public:
  /// Index of siblings in the front; `none` if they are not recorded.
  using Home = Index;
  static constexpr Home none = -1;

  /// Records at most `limit` siblings. Without coherence (null), records nothing.
  FrontRecord(Coherence* coherence, std::size_t limit) : coherence_(coherence), limit_(limit) {
    siblings_.clear();
  }

  /// Adds siblings without any lanes.
  Home add(const Siblings& siblings) {
    overflow_ = overflow_ || siblings_.size() >= limit_;
    if (!coherence_ || overflow_) return none;
    siblings_.push_back({siblings, 0});
    return static_cast<Home>(siblings_.size()) - 1;
  }

  /// Adds the lane of a node pair at which the traversal stopped.
  void keep(Home home, const NodePair& nodes) {
    if (home == none) return;
    FrontSiblings& pairs = siblings_[home];
    pairs.lanes |= 1u << (pairs.nodes.of_a ? nodes.a : nodes.b).lane();
  }

  /// Stores the front for the next query. Stores an empty front if a start from the roots is
  /// better.
  void store();

 private:
  Coherence* coherence_;
  std::size_t limit_;
  bool overflow_ = false;
  // A buffer that is reused across queries.
  inline static thread_local std::vector<FrontSiblings> siblings_;
};

inline void FrontRecord::store() {
  if (!coherence_) return;
  std::erase_if(siblings_, [](const FrontSiblings& pairs) { return pairs.lanes == 0; });
  ++coherence_->age;
  if (coherence_->front.empty()) coherence_->rooted_size = siblings_.size(), coherence_->age = 0;
  // A front only grows from query to query, and stays fine where the bodies have separated. These
  // limits save a fifth to a third of the time, measured on small steps near contact. A limit of
  // twice the size saves nothing.
  const bool grown = siblings_.size() > coherence_->rooted_size + coherence_->rooted_size / 8;
  if (overflow_ || grown || coherence_->age >= 8) siblings_.clear();
  coherence_->front.assign(siblings_.begin(), siblings_.end());
}

}  // namespace toccata
