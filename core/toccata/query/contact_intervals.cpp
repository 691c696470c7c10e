// Union of the contact intervals of all pairs of a setting.
#include "toccata/query/contact_intervals.hpp"

#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// Unites the intervals of all pairs of a setting.
template <Setting S>
std::vector<Interval> unite_intervals(S& setting, double resolution, Count budget) {
  std::vector<Interval> all;
  for (const Candidate& candidate : setting.find_candidates()) {
    const typename S::Bodies bodies(setting, candidate);
    const std::vector<Interval> found = contact_intervals(bodies.pair(), resolution, budget);
    all.insert(all.end(), found.begin(), found.end());
  }
  unite(all, resolution);
  return all;
}

}  // namespace

std::vector<Interval> contact_intervals(const TwoBodies& bodies, double resolution) {
  return in_ordinary_lengths(bodies, [&](TwoBodies two, int) {
    return unite_intervals(two, resolution, two.options.budget);
  });
}

std::vector<Interval> contact_intervals(const ManyBodies& scene, double resolution) {
  return in_ordinary_lengths(scene, [&](ManyBodies bodies, int) {
    return unite_intervals(bodies, resolution, bodies.query.options.budget);
  });
}

std::vector<Interval> contact_intervals(const Robot& robot, const BodySet& world,
                                        const RobotMotion& motion, const RobotOptions& options,
                                        double resolution) {
  return in_ordinary_lengths(robot, world, motion, options, [&](RobotInWorld& setting, int) {
    return unite_intervals(setting, resolution, setting.options.budget);
  });
}

}  // namespace toccata
