// Boxes of what moves on straight lines during a step, and when they first meet.
#pragma once

#include "toccata/geometry/box_pack.hpp"

namespace toccata {

/// A box at the start of a step and one at its end. In between, the box whose sides move linearly
/// holds all points that do: the least of linear functions is above the line between its ends. A
/// default one is empty; it is finite, so that its sides have differences.
struct MovingBox {
  static constexpr float far = 1e30f;
  Boxf start{all_three(far), all_three(-far)}, end{all_three(far), all_three(-far)};
};

inline void extend(MovingBox& box, const Vec3f& start, const Vec3f& end) {
  extend(box.start, start);
  extend(box.end, end);
}
inline MovingBox grown(const MovingBox& b, float margin) {
  return {grown(b.start, margin), grown(b.end, margin)};
}

/// Eight moving boxes, coordinate by coordinate; default ones are empty and meet nothing.
struct MovingBoxes {
  BoxPack start{broadcast(MovingBox{}.start.lo), broadcast(MovingBox{}.start.hi)};
  BoxPack end{broadcast(MovingBox{}.end.lo), broadcast(MovingBox{}.end.hi)};

  void set(int k, const MovingBox& b) { set_lane(start, k, b.start), set_lane(end, k, b.end); }
  MovingBox get(int k) const { return {lane(start, k), lane(end, k)}; }
};

/// The least box around eight.
inline MovingBox around(const MovingBoxes& boxes) {
  MovingBox all = boxes.get(0);
  for (int k = 1; k < lanes; ++k) {
    const MovingBox b = boxes.get(k);
    extend(all.start, b.start);
    extend(all.end, b.end);
  }
  return all;
}

/// When boxes overlap: from `enter` to `leave`, if the first is not later.
struct MeetingTimes {
  Pack enter, leave;
};

/// The twelve sides of which none may be negative when `box` meets `boxes`: calls side(f0, f1) with
/// the values at the start and at the end.
template <class Side>
inline void for_each_side(const MovingBox& box, const MovingBoxes& boxes, const Side& side) {
  const Boxf &b0 = box.start, &b1 = box.end;
  const BoxPack &p0 = boxes.start, &p1 = boxes.end;
  side(p0.hi.x - b0.lo.x, p1.hi.x - b1.lo.x);
  side(b0.hi.x - p0.lo.x, b1.hi.x - p1.lo.x);
  side(p0.hi.y - b0.lo.y, p1.hi.y - b1.lo.y);
  side(b0.hi.y - p0.lo.y, b1.hi.y - p1.lo.y);
  side(p0.hi.z - b0.lo.z, p1.hi.z - b1.lo.z);
  side(b0.hi.z - p0.lo.z, b1.hi.z - p1.lo.z);
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
  return meets(boxes.start, box.start);
}

}  // namespace toccata
