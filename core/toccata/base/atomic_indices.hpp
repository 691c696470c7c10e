// Indices of many things, to be read while others are being written.
#pragma once

#include <atomic>

#include "toccata/base/index.hpp"
#include "toccata/base/unfilled_vector.hpp"

namespace toccata {

using AtomicIndices = UnfilledVector<std::atomic<Index>>;

}  // namespace toccata
