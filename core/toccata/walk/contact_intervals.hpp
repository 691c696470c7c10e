// The times at which two bodies may be in contact during their motions.
//
// The search alternates between the next first contact and the end of that contact.
#pragma once

#include <vector>

#include "toccata/math/interval.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Returns ascending intervals of time within [0, 1]. Outside of them, the bodies are farther apart
/// than the separation, and neither body is inside a solid of the other. The intervals are at least
/// `resolution` apart: shorter breaks of a contact are not detected. Subtracts the work from
/// `budget`. If the budget runs out, the last interval extends to the end of the motion.
std::vector<Interval> contact_intervals(const MovingPair& pair, double resolution, Count& budget);

/// Sorts intervals, and unites intervals that are less than `resolution` apart.
void unite(std::vector<Interval>& intervals, double resolution);

}  // namespace toccata
