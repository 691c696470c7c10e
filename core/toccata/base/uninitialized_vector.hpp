// Vectors of trivial types whose new entries are not initialized: that takes no time, and memory
// that is never used is never touched. Large ones come from the page pool.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/page_pool.hpp"

namespace toccata {

/// An allocator that leaves new entries uninitialized, atomic ones too.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  UninitializedAllocator() = default;
  template <class U>
  UninitializedAllocator(const UninitializedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::allocate(count);
    return static_cast<T*>(take_from_pool(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::deallocate(memory, count);
    return_to_pool(memory, count * sizeof(T));
  }
  template <class U>
  void construct(U*) {
    static_assert(std::is_trivially_destructible_v<U>);
  }
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };

 private:
  static bool is_large(std::size_t count) { return count * sizeof(T) >= least_pooled; }
};

/// Its `resize`, and its constructor from a size, leave new entries uninitialized.
template <class T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

/// Indices that some threads read while others write them.
using AtomicIndices = UninitializedVector<std::atomic<Index>>;

/// Resizes without copying: what the vector held is lost.
template <class T>
void renew(UninitializedVector<T>& vector, std::size_t count) {
  vector.clear();
  vector.resize(count);
}

}  // namespace toccata
