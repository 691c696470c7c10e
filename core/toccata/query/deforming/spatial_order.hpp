// An order of elements in which neighbours in space are neighbours in the order.
#pragma once

#include <vector>

#include "toccata/query/deforming/local_frame.hpp"

namespace toccata {

/// The elements, such that each run of block, 8 block, 64 block ... from a multiple of its length
/// is what median splits along the longest side leave together.
std::vector<Index> spatial_order(const Features& features, const LocalFrame& local, Index block,
                                 unsigned threads);

}  // namespace toccata
