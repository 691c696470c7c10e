// Use of shared data by one query at a time.
#pragma once

#include <atomic>

namespace toccata {

/// Mark of data that one query at a time may use. A copy of the data is not in use, and an
/// assignment to the data does not change the mark.
class InUse {
 public:
  InUse() = default;
  InUse(const InUse&) {}
  InUse& operator=(const InUse&) { return *this; }

  bool try_set() { return !held_.exchange(true, std::memory_order_acquire); }
  void clear() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

/// Claim of data with a member `in_use`, for the time of one query. A concurrent query gets no
/// data, so that it need not wait.
template <class T>
class Claim {
 public:
  explicit Claim(T* data) : data_(data && data->in_use.try_set() ? data : nullptr) {}
  ~Claim() {
    if (data_) data_->in_use.clear();
  }
  Claim(const Claim&) = delete;

  /// Returns the data, or null if there are none or another query uses them.
  T* get() const { return data_; }

 private:
  T* data_;
};

}  // namespace toccata
