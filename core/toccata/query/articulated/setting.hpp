// Options made ready for a robot in a world.
#pragma once

#include <cstdint>
#include <vector>

#include "toccata/query/articulated/first_contact.hpp"

namespace toccata {

/// Distances by pair; the largest one becomes the separation of the rest of the options.
void set_separations(RobotOptions& options, const Separations& separations);

/// Leaves out `untested`, and what stays where it is and is proven apart by these options.
void set_untested(RobotOptions& options, const Untested& untested, const Robot& robot,
                  const World& world);

/// Whether a way is proven free; stops at the first proof either way.
bool motion_is_free(const Robot& robot, const World& world, const RobotMotion& motion,
                    const RobotOptions& options);

/// The same for many ways: a status each. Only FREE says that a way is free; CONTACT says that
/// something touches on it, not when.
std::vector<std::uint8_t> motions_are_free(const Robot& robot, const World& world,
                                           const RobotMotions& motions, const RobotOptions& options,
                                           unsigned threads);

}  // namespace toccata
