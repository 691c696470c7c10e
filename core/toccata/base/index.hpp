// Integer types for indices and counts.
#pragma once

#include <cstdint>

namespace toccata {

/// Index of a vertex, triangle or node. 32 bits suffice: a mesh has fewer than 2^28 triangles.
using Index = std::int32_t;

/// Number of units of work.
using Count = std::int64_t;

}  // namespace toccata
