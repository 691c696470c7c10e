// What all methods for robots do with what they find.
#pragma once

#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/robot_pair.hpp"

namespace toccata {

/// A contact of the pair has been recorded in `found.contact`, in the frame of the pair: says who
/// touches, in world coordinates.
void name_contact(const RobotQuery& query, const RobotPair& bodies, RobotContact& found);

/// A link that starts inside a solid touches nothing: looks for one among the candidates, unless
/// something is in contact at the start anyway.
void look_inside(const RobotQuery& query, std::span<const Candidate> candidates,
                 RobotContact& found);

/// Whether rounding hides how a pair starts that may rest; then nothing is known.
bool has_unclear(const RobotQuery& query, std::span<const Candidate> candidates,
                 RobotContact& found);

}  // namespace toccata
