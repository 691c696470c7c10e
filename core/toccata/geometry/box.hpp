// Axis-aligned boxes.
#pragma once

#include <cmath>

#include "toccata/math/interval.hpp"
#include "toccata/math/vec3.hpp"

namespace toccata {

/// Closed box over any scalar type. A default box is empty.
template <class T>
struct BoxOf {
  Vec3<T> lo = all_three(T(INFINITY)), hi = all_three(T(-INFINITY));
};
using Box = BoxOf<double>;
using Boxf = BoxOf<float>;

template <class T>
void extend(BoxOf<T>& box, const Vec3<T>& p) {
  box = {min(box.lo, p), max(box.hi, p)};
}
template <class T>
void extend(BoxOf<T>& box, const BoxOf<T>& other) {
  box = {min(box.lo, other.lo), max(box.hi, other.hi)};
}
/// Returns the box of all points within `margin` along each axis, up to rounding.
template <class T>
BoxOf<T> grown(const BoxOf<T>& box, T margin) {
  return {box.lo - all_three(margin), box.hi + all_three(margin)};
}
inline Box box_of(const Vec3i& v) { return {{v.x.lo, v.y.lo, v.z.lo}, {v.x.hi, v.y.hi, v.z.hi}}; }
inline Box intersection(const Box& a, const Box& b) { return {max(a.lo, b.lo), min(a.hi, b.hi)}; }
inline Vec3d extent(const Box& box) { return box.hi - box.lo; }
/// Returns half the surface area of a box of the given extent.
inline double half_area(const Vec3d& extent) {
  return extent.x * extent.y + extent.y * extent.z + extent.z * extent.x;
}
inline Vec3d center(const Box& box) { return box.lo * 0.5 + box.hi * 0.5; }

/// Returns whether two boxes are within `distance` of each other along every axis.
inline bool near(const Box& a, const Box& b, double distance) {
  return a.lo.x - distance <= b.hi.x && b.lo.x - distance <= a.hi.x &&
         a.lo.y - distance <= b.hi.y && b.lo.y - distance <= a.hi.y &&
         a.lo.z - distance <= b.hi.z && b.lo.z - distance <= a.hi.z;
}

/// Returns the largest separation of two boxes along an axis; not positive if they intersect.
inline double gap(const Box& a, const Box& b) {
  const Vec3d before = a.lo - b.hi, after = b.lo - a.hi;
  return std::max(std::max({before.x, before.y, before.z}), std::max({after.x, after.y, after.z}));
}

}  // namespace toccata
