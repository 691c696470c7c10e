// Windows of time.
#pragma once

namespace toccata {

/// A part of the motion's time, or one time.
struct Window {
  double middle, half;

  double start() const { return middle - half; }
  double end() const { return middle + half; }
  bool operator==(const Window&) const = default;
};

}  // namespace toccata
