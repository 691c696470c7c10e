// Page pool: keeps large blocks of memory for their next use. The system clears a new page at the
// first access, which often takes longer than the work on the page and makes threads wait for each
// other.
#pragma once

#include <cstddef>

namespace toccata {

/// Size in bytes of the smallest pooled block. The standard allocator keeps smaller blocks itself.
constexpr std::size_t least_pooled = 1 << 15;

/// Maximum number of unused bytes that the pool keeps.
constexpr std::size_t most_pooled = std::size_t{1} << 27;

/// Returns a block of at least `size` bytes with arbitrary content, aligned for any type. `size` is
/// at least `least_pooled`.
void* take_from_pool(std::size_t size);

/// Returns a block to the pool. `size` is the size for which it was taken.
void return_to_pool(void* block, std::size_t size) noexcept;

/// Returns the number of unused bytes in the pool.
std::size_t pooled_bytes();

}  // namespace toccata
