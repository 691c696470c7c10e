// First contact of a robot on one motion, by any method.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

struct AdaptiveCoherence;

/// What the queries of a sequence of motions leave for the next ones.
struct RobotCoherence : KnownContacts {
  /// Rigid groups and what is proven about them; null before the first query that uses groups.
  std::shared_ptr<AdaptiveCoherence> adaptive;
};

/// Returns the first contact on a motion, by the method of the options and by the contract of
/// docs/guarantees.md. All pairs share the budget. The configurations have been checked.
/// `coherence` serves sequences of similar motions with all methods but "interval"; it may be null.
/// Motions along polynomials use "auto" in place of "hca".
RobotContact first_contact(const Robot& robot, const World& world, const RobotMotion& motion,
                           const RobotOptions& options, RobotCoherence* coherence = nullptr);

/// Returns the first contact on the straight motion from q_0 to q_1.
inline RobotContact first_contact(const Robot& robot, const World& world, const double* q_0,
                                  const double* q_1, const RobotOptions& options,
                                  RobotCoherence* coherence = nullptr) {
  return first_contact(robot, world, RobotMotion{q_0, q_1}, options, coherence);
}

/// Rows of configurations at both ends of straight motions.
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

/// Answers one query per row. The result does not depend on the number of threads.
RobotContacts first_contact_batch(const Robot& robot, const World& world,
                                  const RobotMotions& motions, const RobotOptions& options,
                                  unsigned threads);

/// Returns whether a motion is proven free. Stops at the first proof of either answer.
bool motion_is_free(const Robot& robot, const World& world, const RobotMotion& motion,
                    const RobotOptions& options);

/// Returns one status per row. Only FREE proves a motion free; CONTACT proves that there is some
/// contact on it.
std::vector<std::uint8_t> motions_are_free(const Robot& robot, const World& world,
                                           const RobotMotions& motions, const RobotOptions& options,
                                           unsigned threads);

}  // namespace toccata
