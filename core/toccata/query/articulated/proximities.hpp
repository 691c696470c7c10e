// What is near in a robot and its surroundings.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/walk/proximities.hpp"

namespace toccata {

/// All feature pairs within `distance` of links and of links and bodies that are tested, by
/// distance. `body_a` is a link; `body_b` is a link, or the number of links plus a body of the
/// world. The configuration has been checked. Throws `invalid_argument` for curved surfaces.
std::vector<Proximity> proximities(const Robot& robot, const World& world, const double* q,
                                   double distance, const Untested* untested);

}  // namespace toccata
