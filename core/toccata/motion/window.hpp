// Windows of time, by their middle and half their length.
#pragma once

namespace toccata {

/// A part of the motion's time, or one time.
struct Window {
  double middle, half;

  double start() const { return middle - half; }
  double end() const { return middle + half; }
  bool operator==(const Window&) const = default;
};

inline constexpr Window whole_motion{0.5, 0.5};

}  // namespace toccata
