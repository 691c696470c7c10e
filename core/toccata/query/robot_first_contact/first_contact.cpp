// Choice of the method, and distribution of batches over threads.
#include "toccata/query/robot_first_contact/first_contact.hpp"

#include <algorithm>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/robot_first_contact/hca_search.hpp"
#include "toccata/query/robot_first_contact/interval_search.hpp"
#include "toccata/query/robot_first_contact/search.hpp"
#include "toccata/query/setting/scaling.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

/// Shares of active joints, measured in instructions in sequences with trees of 30 to 60 links:
/// rigid groups are faster below the first share, and not slower below the second.
constexpr double surely_worth = 0.25, hardly_worse = 0.27;

AdaptiveCoherence& adaptive_part(RobotCoherence& coherence) {
  if (!coherence.adaptive) {
    coherence.adaptive = std::make_shared<AdaptiveCoherence>();
    coherence.adaptive->is_sequence = true;
  }
  return *coherence.adaptive;
}

RobotContact search(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                    const RobotOptions& options, RobotCoherence* coherence) {
  // All searches reuse their buffers across queries.
  if (options.options.method == Method::hca && !motion.powers) {
    thread_local HcaSearch search;
    return search.run(robot, world, motion.start, motion.end, options, coherence);
  }
  if (options.options.method == Method::interval) {
    thread_local IntervalSearch search;
    return search.run(robot, world, motion, options);
  }
  if (options.options.method == Method::adaptive) {
    thread_local RobotSearch search;
    thread_local AdaptiveCoherence own;
    AdaptiveCoherence& adaptive = coherence ? adaptive_part(*coherence) : own;
    adaptive.most_active = hardly_worse;
    return search.run(robot, world, motion, options, &adaptive);
  }
  thread_local RobotSearch search;
  if (!coherence) return search.run(robot, world, motion, options);
  adaptive_part(*coherence).most_active = surely_worth;
  return search.run(robot, world, motion, options, coherence->adaptive.get());
}

/// Returns the largest default tolerance of all pairs, up to rounding.
double largest_tolerance(const Robot& robot, const BodySet& world) {
  return default_tolerance(contact_share, robot.radii().of_pairs_with(world.radii()), 0);
}

/// Answers a query that has claimed the coherence.
RobotContact answer(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                    const RobotOptions& options, RobotCoherence* coherence) {
  if (const int exponent = scaling_of(robot, world, motion)) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);
    return scaled_back(
        answer(copy.robot(), copy.world(), motion, scaled(options, exponent), coherence),
        options.options, exponent);
  }
  RobotContact found = search(robot, world, motion, options, coherence);
  const Contact& contact = found.contact;
  if (coherence && contact.element_a >= 0)
    coherence->keep({found.link_a, found.link_b, found.body},
                    {contact.element_a, contact.element_b});
  double& tolerance = found.contact.tolerance;
  // A pair that rests chooses its own tolerance.
  const bool is_given = options.options.initial != Initial::resting;
  if (is_given && options.options.tolerance > 0) tolerance = options.options.tolerance;
  else if (tolerance == 0) tolerance = largest_tolerance(robot, world);  // no pair was tested
  return found;
}

}  // namespace

RobotContact first_contact(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                           const RobotOptions& options, RobotCoherence* coherence) {
  const Claim<RobotCoherence> claim(coherence);
  return answer(robot, world, motion, options, claim.get());
}

void RobotContacts::set(std::size_t row, const RobotContact& found) {
  contacts.set(row, found.contact);
  link_a[row] = found.link_a;
  link_b[row] = found.link_b;
  body[row] = found.body;
}

RobotContacts first_contact_batch(const Robot& robot, const BodySet& world,
                                  const RobotMotions& motions, const RobotOptions& options,
                                  unsigned threads) {
  if (const int exponent = scaling_of(robot, world)) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);  // once for all rows
    RobotContacts results = first_contact_batch(copy.robot(), copy.world(), motions,
                                                scaled(options, exponent), threads);
    scale_back(results.contacts, exponent);
    return results;
  }
  RobotOptions own = options;
  own.options.timed = false;  // a batch reports answers only
  RobotContacts results(motions.count);
  const std::size_t width = robot.coordinates();
  parallel_for(motions.count, 8, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const RobotMotion motion{motions.start + i * width, motions.end + i * width};
      results.set(i, first_contact(robot, world, motion, own));
    }
  });
  return results;
}

bool motion_is_free(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                    const RobotOptions& options) {
  RobotOptions own = options;
  own.any = true;
  own.options.timed = false;
  return first_contact(robot, world, motion, own).contact.status == Status::free;
}

std::vector<std::uint8_t> motions_are_free(const Robot& robot, const BodySet& world,
                                           const RobotMotions& motions, const RobotOptions& options,
                                           unsigned threads) {
  RobotOptions own = options;
  own.any = true;
  return first_contact_batch(robot, world, motions, own, threads).contacts.status;
}

}  // namespace toccata
