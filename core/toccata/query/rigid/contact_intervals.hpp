// When two moving rigid bodies may be in contact.
#pragma once

#include "toccata/walk/contact_intervals.hpp"

namespace toccata {

/// As `contact_intervals` of a pair, for bodies of any size. The method of the options is not used.
std::vector<Interval> contact_intervals(const Body& a, const Body& b, const Options& options,
                                        double resolution);

}  // namespace toccata
