// What is proven about links that do not move relative to each other, or to the world: it holds
// while they stay together.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "toccata/broad/pair_rules.hpp"
#include "toccata/broad/world.hpp"
#include "toccata/robot/rigid_groups.hpp"

namespace toccata {

/// Keeps proofs for one robot, world and query; others make it forget. What is not known yet
/// becomes a proof when the answer confirms it.
class GroupProofs {
 public:
  /// Two rigid nodes of one group, or one node alone. Where they are and since when.
  struct Nodes {
    Index a, b;  ///< b: -1 for a node and itself, -2 for a node and bodies that stay
    Count changed_a, changed_b = 0;
    Pose at_a, at_b;
  };
  static constexpr Index itself = -1, world_at_rest = -2;

  /// The query that proofs belong to, beside the robot and its world.
  struct Query {
    bool self_contact = false;
    Options options;
    std::shared_ptr<const Separations> separations;  ///< kept, so that no other takes its place
    std::shared_ptr<const IgnoredPairs> ignored;
  };

  /// Begins a query; `version` is that of all rigid groups.
  void start(const Robot& robot, const World& world, const Query& query, Count version);

  /// Nothing has changed since all that was at rest was tested.
  bool knows_all() const { return knows_all_; }
  /// Whether no two links of the nodes are in contact. What is asked for is expected to be tested
  /// by this query.
  bool knows(const Nodes& nodes);

  /// Everything that was asked for has been tested, and nothing of it is in contact.
  void confirm();

 private:
  std::map<std::pair<Index, Index>, Nodes> known_;
  std::vector<Nodes> assumed_;
  Count version_ = 0, confirmed_ = 0;  // of the groups: now, and when all was tested last
  bool knows_all_ = false;
  Count robot_ = 0, world_ = 0;
  Query query_;
};

}  // namespace toccata
