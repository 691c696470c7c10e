// Integer types that count and name things.
#pragma once

#include <cstdint>

namespace toccata {

/// Names a vertex, triangle or node. 32 bits: a mesh has fewer than 2^28 triangles.
using Index = std::int32_t;

/// Counts work.
using Count = std::int64_t;

}  // namespace toccata
