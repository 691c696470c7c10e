// A pool of pages: large blocks of memory that are kept for their next use. The first access to a
// new page takes longer than most of what is done with it, and threads wait for each other
// meanwhile.
#pragma once

#include <cstddef>

namespace toccata {

/// Smaller blocks are left to the system, which keeps those.
constexpr std::size_t least_pooled = 1 << 15;

/// At most so many unused bytes are kept.
constexpr std::size_t most_pooled = std::size_t{1} << 27;

/// A block of at least `size` bytes, aligned for anything; `size` is at least `least_pooled`. What
/// it holds is arbitrary.
void* take_from_pool(std::size_t size);

/// Returns a block that was taken with that size.
void return_to_pool(void* memory, std::size_t size) noexcept;

/// How many unused bytes are kept now.
std::size_t pooled_bytes();

}  // namespace toccata
