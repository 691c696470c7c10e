// Proofs that links of a rigid group are apart from each other, or from the fixed bodies of a
// world. They hold as long as the links do not move relative to each other.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "toccata/broad/body_set.hpp"
#include "toccata/broad/pair_rules.hpp"
#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// The proofs for one robot, world and query. Any other robot, world or query clears them. Pairs
/// without a proof are tested by the query. An answer without a contact at the start turns them
/// into proofs.
class GroupProofs {
 public:
  /// Two rigid nodes of one group, or a single node, with their poses.
  struct Nodes {
    Index a, b;                      ///< b is `itself`, `world_at_rest` or a node
    Count changed_a, changed_b = 0;  ///< versions of the last changes inside of the nodes
    Pose at_a, at_b;                 ///< poses relative to the carrier
  };
  static constexpr Index itself = -1, world_at_rest = -2;

  /// Options of the query to which the proofs belong.
  struct Query {
    bool self_contact = false;
    Options options;
    std::shared_ptr<const Separations> separations;  ///< shared, so that its address stays unique
    std::shared_ptr<const IgnoredPairs> ignored;
  };

  /// Starts a query. `version` is the version of the rigid groups.
  void start(const Robot& robot, const BodySet& world, const Query& query, Count version);

  /// Tells that robot, fixed bodies and options are those of the last query.
  bool is_same() const { return is_same_; }
  /// Tells that all pairs at rest are proven apart for the current version.
  bool knows_all() const { return knows_all_; }
  /// Returns whether the links of the nodes are proven apart. If not, the caller must test them in
  /// this query.
  bool knows(const Nodes& nodes);

  /// Adds proofs for all nodes that were unknown: the query has tested them and found no contact.
  void confirm();

 private:
  std::map<std::pair<Index, Index>, Nodes> known_;
  std::vector<Nodes> assumed_;  // nodes without a proof that this query tests
  Count version_ = 0;           // current version of the groups
  Count confirmed_ = 0;         // version at the last confirmation
  bool is_same_ = false, knows_all_ = false;
  Count robot_ = 0, world_ = 0;
  Query query_;
};

}  // namespace toccata
