// Boxes of what moves on straight lines during a step, and when they first meet.
#pragma once

#include <algorithm>

#include "toccata/math/pack.hpp"

namespace toccata {

/// A box at the start of a step and one at its end. In between, the box whose sides move linearly
/// holds all points that do: the least of linear functions is above the line between its ends.
struct MovingBox {
  static constexpr float far = 1e30f;
  Vec3f lo_0{far, far, far}, hi_0{-far, -far, -far}, lo_1{far, far, far}, hi_1{-far, -far, -far};
};

inline void extend(Vec3f& lo, Vec3f& hi, const Vec3f& p) {
  lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
  hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
}
inline void extend(MovingBox& box, const Vec3f& start, const Vec3f& end) {
  extend(box.lo_0, box.hi_0, start);
  extend(box.lo_1, box.hi_1, end);
}
inline MovingBox grown(const MovingBox& b, float margin) {
  const Vec3f m{margin, margin, margin};
  return {b.lo_0 - m, b.hi_0 + m, b.lo_1 - m, b.hi_1 + m};
}

/// Eight moving boxes, coordinate by coordinate; default ones are empty and meet nothing.
struct MovingBoxes {
  Vec3p lo_0 = broadcast(MovingBox{}.lo_0), hi_0 = broadcast(MovingBox{}.hi_0);
  Vec3p lo_1 = broadcast(MovingBox{}.lo_1), hi_1 = broadcast(MovingBox{}.hi_1);

  void set(int k, const MovingBox& b) {
    const auto put = [k](Vec3p& to, const Vec3f& v) { set_lane(to, k, v); };
    put(lo_0, b.lo_0), put(hi_0, b.hi_0), put(lo_1, b.lo_1), put(hi_1, b.hi_1);
  }
  MovingBox get(int k) const {
    const auto at = [k](const Vec3p& v) { return lane(v, k); };
    return {at(lo_0), at(hi_0), at(lo_1), at(hi_1)};
  }
};

/// The least box around eight.
inline MovingBox around(const MovingBoxes& boxes) {
  MovingBox r = boxes.get(0);
  for (int k = 1; k < lanes; ++k) {
    const MovingBox b = boxes.get(k);
    r.lo_0 = {std::min(r.lo_0.x, b.lo_0.x), std::min(r.lo_0.y, b.lo_0.y),
              std::min(r.lo_0.z, b.lo_0.z)};
    r.hi_0 = {std::max(r.hi_0.x, b.hi_0.x), std::max(r.hi_0.y, b.hi_0.y),
              std::max(r.hi_0.z, b.hi_0.z)};
    r.lo_1 = {std::min(r.lo_1.x, b.lo_1.x), std::min(r.lo_1.y, b.lo_1.y),
              std::min(r.lo_1.z, b.lo_1.z)};
    r.hi_1 = {std::max(r.hi_1.x, b.hi_1.x), std::max(r.hi_1.y, b.hi_1.y),
              std::max(r.hi_1.z, b.hi_1.z)};
  }
  return r;
}

/// When boxes overlap: from `enter` to `leave`, if the first is not later.
struct MeetingTimes {
  Pack enter, leave;
};

/// The twelve sides of which none may be negative when `box` meets `boxes`: calls side(f0, f1) with
/// the values at the start and at the end.
template <class Side>
inline void for_each_side(const MovingBox& box, const MovingBoxes& boxes, const Side& side) {
  side(boxes.hi_0.x - box.lo_0.x, boxes.hi_1.x - box.lo_1.x);
  side(box.hi_0.x - boxes.lo_0.x, box.hi_1.x - boxes.lo_1.x);
  side(boxes.hi_0.y - box.lo_0.y, boxes.hi_1.y - box.lo_1.y);
  side(box.hi_0.y - boxes.lo_0.y, box.hi_1.y - boxes.lo_1.y);
  side(boxes.hi_0.z - box.lo_0.z, boxes.hi_1.z - box.lo_1.z);
  side(box.hi_0.z - boxes.lo_0.z, box.hi_1.z - boxes.lo_1.z);
}

/// When `box` meets each of the eight `boxes`. Margins of 2^-20 of the largest coordinate, added to
/// the boxes, cover the rounding here: sides err by 2^-23 of it, and so do the roots, between
/// functions that are at least 2^-19 of it when the things in the boxes meet.
inline MeetingTimes meet(const MovingBox& box, const MovingBoxes& boxes) {
  const Pack zero{}, one = broadcast(1), never = broadcast(2);
  MeetingTimes times{zero, one};
  for_each_side(box, boxes, [&](Pack f0, Pack f1) {
    const Pack root = f0 / (f0 - f1);
    times.enter = max(times.enter, select(f0 < zero, select(f1 < zero, never, root), zero));
    times.leave = min(times.leave, select(f1 < zero, select(f0 < zero, zero, root), one));
  });
  return times;
}

/// Bit k is set when `box` meets box k not after `cutoff`.
inline unsigned meeting(const MovingBox& box, const MovingBoxes& boxes, float cutoff) {
  // Most boxes are apart along one axis at both ends, or overlap at the start: signs show it.
  Mask apart{}, later{};
  for_each_side(box, boxes, [&](Pack f0, Pack f1) {
    apart |= sign_bits(f0) & sign_bits(f1);
    later |= sign_bits(f0);
  });
  const unsigned rest = ~signs(apart) & 0xffu;
  if ((rest & signs(later)) == 0) return rest;
  const MeetingTimes times = meet(box, boxes);
  return rest & bits((times.enter <= times.leave) & (times.enter <= broadcast(cutoff)));
}

/// Bit k is set when `box` and box k overlap at the start.
inline unsigned overlapping_at_start(const MovingBox& box, const MovingBoxes& boxes) {
  return bits((boxes.lo_0.x <= box.hi_0.x) & (boxes.hi_0.x >= box.lo_0.x) &
              (boxes.lo_0.y <= box.hi_0.y) & (boxes.hi_0.y >= box.lo_0.y) &
              (boxes.lo_0.z <= box.hi_0.z) & (boxes.hi_0.z >= box.lo_0.z));
}

}  // namespace toccata
