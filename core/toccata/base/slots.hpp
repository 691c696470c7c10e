// Objects with stable addresses, in slots that are reused across queries.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "toccata/base/index.hpp"

namespace toccata {

/// List of objects that need not be movable. Pointers to them stay valid until `clear`, which keeps
/// the slots for later objects.
template <class T>
class Slots {
 public:
  void clear() { size_ = 0; }
  Index size() const { return size_; }
  T& operator[](Index i) { return *slots_[i]; }
  const T& operator[](Index i) const { return *slots_[i]; }

  /// Constructs another object in the next slot.
  template <class... Arguments>
  T& add(Arguments&&... arguments) {
    if (slots_.size() == static_cast<std::size_t>(size_)) slots_.emplace_back();
    return slots_[size_++].emplace(std::forward<Arguments>(arguments)...);
  }

 private:
  std::deque<std::optional<T>> slots_;
  Index size_ = 0;
};

}  // namespace toccata
