// First contact of a robot with its surroundings and with itself.
#pragma once

#include <memory>

#include "toccata/broad/link_rules.hpp"
#include "toccata/broad/world.hpp"
#include "toccata/query/articulated/contact_memory.hpp"
#include "toccata/robot/assembly_transforms.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

class PathStarts;

struct RobotOptions {
  bool self_contact = true;
  /// Any contact will do, not only the first: `toc` only says that there is one.
  bool any = false;
  /// Of the automatic method: joints that do not move join links to rigid groups.
  bool adaptive = false;
  /// How the boxes of groups follow their motions.
  Enclosures enclosures = Enclosures::chains;
  // What interval may do before its exact stage.
  bool hierarchy = true;  ///< boxes around the paths of the links
  bool swept = true;      ///< swept volumes of the links
  bool temporal = true;   ///< hca: temporal culling; without, every pair of bodies is walked alone
  /// Distances of pairs that count instead of `options.separation`, which is then the largest one.
  std::shared_ptr<const Separations> separations;
  /// Links and bodies that are not tested against each other; null: none.
  std::shared_ptr<const Untested> untested;
  /// Of pairs that may rest, at the start of the path that the motion is a piece of; null: pairs
  /// start with the motion.
  std::shared_ptr<const PathStarts> starts;
  Options options;
};

/// Pairs of bodies left after the stages that cull them, and how long the stages took, if asked
/// for.
struct StageStats {
  Count pairs_after_hierarchy = 0, pairs_after_culling = 0;
  double seconds_hierarchy = 0, seconds_culling = 0, seconds_exact = 0;
  AssemblyWork assembly;  ///< of the adaptive method
};

inline StageStats& operator+=(StageStats& a, const StageStats& b) {
  a.pairs_after_hierarchy += b.pairs_after_hierarchy;
  a.pairs_after_culling += b.pairs_after_culling;
  a.seconds_hierarchy += b.seconds_hierarchy;
  a.seconds_culling += b.seconds_culling;
  a.seconds_exact += b.seconds_exact;
  a.assembly += b.assembly;
  return a;
}

struct RobotContact {
  /// Its tolerance is what was asked for, or the largest that a pair looked at has chosen; if there
  /// was none, what the largest body would choose.
  Contact contact;
  Index link_a = -1, link_b = -1;  ///< link_b is -1 for a contact with the world
  Index body = -1;                 ///< of the world
  Count pairs_tested = 0;          ///< that the stages before left, and that could be the first
  StageStats stages;
  Index piece = -1;  ///< of a path: in which piece it is, and at which time of that piece
  double time = 0;
};

/// The first contact on a way, by the method that the options name (along polynomials by the
/// automatic one in place of hca) and by the contract of docs/guarantees.md; the budget is for all
/// pairs together. The configurations have been checked. `memory` helps hca, the automatic and the
/// adaptive one in a sequence of similar motions.
RobotContact first_contact(const Robot& robot, const World& world, const RobotMotion& motion,
                           const RobotOptions& options, ContactMemory* memory = nullptr);

/// On the straight way from q_0 to q_1.
inline RobotContact first_contact(const Robot& robot, const World& world, const double* q_0,
                                  const double* q_1, const RobotOptions& options,
                                  ContactMemory* memory = nullptr) {
  return first_contact(robot, world, RobotMotion{q_0, q_1}, options, memory);
}

/// Rows of configurations at both ends of straight ways.
struct RobotMotions {
  const double *start, *end;
  std::size_t count;
};

/// Answers side by side, one row per query; fields as in `RobotContact`.
struct RobotContacts {
  Contacts contacts;
  std::vector<Index> link_a, link_b, body;

  explicit RobotContacts(std::size_t count)
      : contacts(count), link_a(count), link_b(count), body(count) {}
  void set(std::size_t row, const RobotContact& found);
};

/// Answers one query per way. The outcome does not depend on the number of threads.
RobotContacts first_contact_batch(const Robot& robot, const World& world,
                                  const RobotMotions& motions, const RobotOptions& options,
                                  unsigned threads);

}  // namespace toccata
