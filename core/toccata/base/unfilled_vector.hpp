// Vectors of many plain things that are not filled before they are used: no time is spent on it,
// and memory that is never used is never touched. Large ones take memory that is kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/base/kept_memory.hpp"

namespace toccata {

/// An allocator that leaves plain things as they are, atomic ones too.
template <class T>
struct UnfilledMemory : std::allocator<T> {
  UnfilledMemory() = default;
  template <class U>
  UnfilledMemory(const UnfilledMemory<U>&) {}

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::allocate(count);
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::deallocate(memory, count);
    give_back_memory(memory, count * sizeof(T));
  }
  template <class U>
  void construct(U*) {
    static_assert(std::is_trivially_destructible_v<U>);
  }
  template <class U>
  struct rebind {
    using other = UnfilledMemory<U>;
  };

 private:
  static bool is_large(std::size_t count) { return count * sizeof(T) >= least_kept; }
};

/// Its `resize`, and its constructor from a size, give room only.
template <class T>
using UnfilledVector = std::vector<T, UnfilledMemory<T>>;

/// Indices that some threads read while others write them.
using AtomicIndices = UnfilledVector<std::atomic<Index>>;

/// Room for `count` things in the memory that is there, if it is enough; what it held is lost.
template <class T>
void renew(UnfilledVector<T>& vector, std::size_t count) {
  vector.clear();
  vector.resize(count);
}

}  // namespace toccata
