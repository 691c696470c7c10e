// Vectors of trivial types that do not initialize new entries. Resizing takes no time and does not
// touch memory that is never used. Large vectors come from the page pool.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/page_pool.hpp"

namespace toccata {

/// Allocator that leaves new entries uninitialized, including atomic ones.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  UninitializedAllocator() = default;
  template <class U>
  UninitializedAllocator(const UninitializedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::allocate(count);
    return static_cast<T*>(take_from_pool(count * sizeof(T)));
  }
  void deallocate(T* entries, std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::deallocate(entries, count);
    return_to_pool(entries, count * sizeof(T));
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

/// Vector that leaves new entries uninitialized in `resize` and when constructed from a size.
template <class T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

/// Indices that some threads read while others write them.
using AtomicIndices = UninitializedVector<std::atomic<Index>>;

/// Resizes a vector without copying. Its old content is lost.
template <class T>
void renew(UninitializedVector<T>& vector, std::size_t count) {
  vector.clear();
  vector.resize(count);
}

}  // namespace toccata
