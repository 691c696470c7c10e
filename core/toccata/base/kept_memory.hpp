// Large pieces of memory that are kept for their next use: to touch a page of new memory for the
// first time takes longer than many a use of it, and threads that do so wait for each other.
#pragma once

#include <cstddef>

namespace toccata {

/// Pieces below this size come from elsewhere: there the system keeps them.
constexpr std::size_t least_kept = 1 << 15;

/// At most so many bytes are kept while nobody uses them.
constexpr std::size_t most_kept = std::size_t{1} << 27;

/// A piece of at least `size` bytes, aligned for anything; `size` is at least `least_kept`. What it
/// holds is arbitrary.
void* take_memory(std::size_t size);

/// Gives back a piece that was taken with that size.
void give_back_memory(void* memory, std::size_t size) noexcept;

/// How many bytes are kept now.
std::size_t kept_memory();

}  // namespace toccata
