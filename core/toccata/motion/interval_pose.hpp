// Windows of time, and poses with interval entries, which enclose all poses during a window (Kim,
// Redon, Kim 2008, section 2.3).
#pragma once

#include "toccata/geometry/box.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

/// A window of time given by its middle and half its length, or one time.
struct Window {
  double middle, half;

  double start() const { return middle - half; }
  double end() const { return middle + half; }
  bool operator==(const Window&) const = default;
};

inline constexpr Window whole_motion{0.5, 0.5};

/// A pose with interval entries.
struct IntervalPose {
  Mat3<Interval> rotation;
  Vec3i translation;
};

inline IntervalPose to_interval(const Pose& pose) {
  const Mat3d& r = pose.rotation;
  return {{to_interval(r.x), to_interval(r.y), to_interval(r.z)}, to_interval(pose.translation)};
}

inline IntervalPose operator*(const IntervalPose& a, const IntervalPose& b) {
  return {a.rotation * b.rotation, a.rotation * b.translation + a.translation};
}

/// Returns a box around all positions of an oriented box with the given middle and half edges.
inline Box box_of(const IntervalPose& pose, const Vec3d& middle, const Vec3d (&half)[3]) {
  Vec3i p = pose.rotation * to_interval(middle) + pose.translation;
  for (const Vec3d& edge : half) {
    const Vec3i spread = pose.rotation * to_interval(edge);
    const auto both = [](Interval x) { return Interval{-magnitude(x), magnitude(x)}; };
    p = p + Vec3i{both(spread.x), both(spread.y), both(spread.z)};
  }
  return {{p.x.lo, p.y.lo, p.z.lo}, {p.x.hi, p.y.hi, p.z.hi}};
}

}  // namespace toccata
