// Pairs that no motion of a robot changes: links that no joint moves, and bodies that stay.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"

namespace toccata {

/// Adds those among them that are proven apart, by the separations and the tolerance of `options`.
/// Queries test the others again and again, since they are what is to be reported.
void add_resting(const Robot& robot, const World& world, const RobotOptions& options,
                 Untested& untested);

}  // namespace toccata
