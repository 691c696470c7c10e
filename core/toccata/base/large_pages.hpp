// Pages of memory.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace toccata {

/// Asks the system for large pages where new memory is large: to touch a small page for the first
/// time takes about as long as to use it, and threads that do so wait for each other.
inline void use_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t page = 1 << 16, large = 1 << 21;  // no system has larger small ones
  if (size < large) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + size) / page * page;
  // A wish only: small pages do as well.
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace toccata
