// The times during which bodies may be in contact.
#pragma once

#include "toccata/query/setting/many_bodies.hpp"
#include "toccata/query/setting/robot_in_world.hpp"
#include "toccata/query/setting/two_bodies.hpp"
#include "toccata/walk/contact_intervals.hpp"

namespace toccata {

/// Returns ascending intervals of time. Outside of them, no pair of bodies is in contact. They are
/// at least `resolution` apart. The method of the options is not used. All pairs share the budget.
std::vector<Interval> contact_intervals(const TwoBodies& bodies, double resolution);
std::vector<Interval> contact_intervals(const ManyBodies& scene, double resolution);
std::vector<Interval> contact_intervals(const Robot& robot, const BodySet& world,
                                        const RobotMotion& motion, const RobotOptions& options,
                                        double resolution);

}  // namespace toccata
