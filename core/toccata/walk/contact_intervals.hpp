// When two bodies may be in contact, over all of their motion.
#pragma once

#include <vector>

#include "toccata/math/interval.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Times from 0 to 1, outside of which the two are farther apart than the separation and none is
/// inside a solid of the other. They rise, and are at least `resolution` apart: shorter breaks of a
/// contact are not looked for. Takes units of work from `budget`; where it runs out, all times that
/// are left may be in contact.
std::vector<Interval> contact_intervals(const MovingPair& pair, double resolution, Count& budget);

/// Sorts intervals, and unites those that are less than `resolution` apart.
void unite(std::vector<Interval>& intervals, double resolution);

}  // namespace toccata
