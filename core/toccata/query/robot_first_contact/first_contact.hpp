// The first contact of a robot on one motion, by the method of the options.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "toccata/query/setting/known_contacts.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/walk/contact.hpp"

namespace toccata {

struct AdaptiveCoherence;

/// Coherence of a sequence of motions.
struct RobotCoherence : KnownContacts {
  /// Rigid groups with their proofs; null before the first query that uses groups.
  std::shared_ptr<AdaptiveCoherence> adaptive;
};

/// Returns the first contact on a motion, by the method of the options and by the contract of
/// docs/guarantees.md. All pairs share the budget. The configurations have been checked.
/// `coherence` serves sequences of similar motions with all methods but "interval"; it may be null.
/// Motions along polynomials use "auto" in place of "hca".
RobotContact first_contact(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                           const RobotOptions& options, RobotCoherence* coherence = nullptr);

/// Returns the first contact on the straight motion from q_0 to q_1.
inline RobotContact first_contact(const Robot& robot, const BodySet& world, const double* q_0,
                                  const double* q_1, const RobotOptions& options,
                                  RobotCoherence* coherence = nullptr) {
  return first_contact(robot, world, RobotMotion{q_0, q_1}, options, coherence);
}

/// Rows of configurations at both ends of straight motions.
struct RobotMotions {
  const double *start, *end;
  std::size_t count;
};

/// Columns of answers, with one row per query. The fields are those of `RobotContact`.
struct RobotContacts {
  Contacts contacts;
  std::vector<Index> link_a, link_b, body;

  explicit RobotContacts(std::size_t count)
      : contacts(count), link_a(count), link_b(count), body(count) {}
  void set(std::size_t row, const RobotContact& found);
};

/// Answers one query per row. The answers do not depend on the number of threads.
RobotContacts first_contact_batch(const Robot& robot, const BodySet& world,
                                  const RobotMotions& motions, const RobotOptions& options,
                                  unsigned threads);

/// Returns whether a motion is proven free. Ends at the first contact, which need not be the
/// earliest.
bool motion_is_free(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                    const RobotOptions& options);

/// Returns one status per row. `free` proves that the motion is free, and `contact` that it has a
/// contact.
std::vector<std::uint8_t> motions_are_free(const Robot& robot, const BodySet& world,
                                           const RobotMotions& motions, const RobotOptions& options,
                                           unsigned threads);

}  // namespace toccata
