// Poses whose entries are intervals: all poses during a window of time (Kim, Redon, Kim 2008,
// section 2.3).
#pragma once

#include "toccata/geometry/box.hpp"
#include "toccata/math/pose.hpp"

namespace toccata {

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

/// Around a box with this middle and these half edges, wherever it is.
inline Box box_of(const IntervalPose& pose, const Vec3d& middle, const Vec3d (&half)[3]) {
  Vec3i p = pose.rotation * to_interval(middle) + pose.translation;
  for (const Vec3d& edge : half) {
    const Vec3i way = pose.rotation * to_interval(edge);
    const auto both = [](Interval x) { return Interval{-magnitude(x), magnitude(x)}; };
    p = p + Vec3i{both(way.x), both(way.y), both(way.z)};
  }
  return {{p.x.lo, p.y.lo, p.z.lo}, {p.x.hi, p.y.hi, p.z.hi}};
}

}  // namespace toccata
