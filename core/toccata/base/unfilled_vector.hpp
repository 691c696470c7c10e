// Vectors of many plain things that are not filled before they are used: no time is spent on it, and
// memory that is never used is never touched.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "toccata/base/large_pages.hpp"

namespace toccata {

/// An allocator that leaves plain things as they are, atomic ones too.
template <class T>
struct UnfilledMemory : std::allocator<T> {
  UnfilledMemory() = default;
  template <class U>
  UnfilledMemory(const UnfilledMemory<U>&) {}

  T* allocate(std::size_t count) {
    T* memory = std::allocator<T>::allocate(count);
    use_large_pages(memory, count * sizeof(T));
    return memory;
  }
  template <class U>
  void construct(U*) {
    static_assert(std::is_trivially_destructible_v<U>);
  }
  template <class U>
  struct rebind {
    using other = UnfilledMemory<U>;
  };
};

/// Its `resize`, and its constructor from a size, give room only.
template <class T>
using UnfilledVector = std::vector<T, UnfilledMemory<T>>;

/// Room for `count` things in the memory that is there, if it is enough; what it held is lost.
template <class T>
void renew(UnfilledVector<T>& vector, std::size_t count) {
  vector.clear();
  vector.resize(count);
}

}  // namespace toccata
