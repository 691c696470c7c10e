// When a robot may be in contact.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/walk/contact_intervals.hpp"

namespace toccata {

/// Times outside of which no pair is in contact: those of all pairs together, at least `resolution`
/// apart. The method of the options is not used; the budget is for all pairs.
std::vector<Interval> contact_intervals(const Robot& robot, const World& world,
                                        const RobotMotion& motion, const RobotOptions& options,
                                        double resolution);

}  // namespace toccata
