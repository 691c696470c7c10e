// Gaps of eight boxes of one body and one box of the other at one time.
//
// Cheaper than `approach`, which also bounds the speed at which the gap closes. Used for estimates,
// and for volumes without a motion of their own.
#pragma once

#include "toccata/narrow/advancement/approach.hpp"

namespace toccata {

/// Returns a lower bound of the distance, up to rounding. If negative, it is about the depth of the
/// overlap. `line` is the vector from the center of y to the centers of the lanes. Tries all
/// fifteen directions of the separating axis theorem, and the gap vectors in the axes of both
/// boxes.
[[gnu::always_inline]] inline Pack box_gap(const Vec3p& line, const Mat3p& axes, const Vec3p& h,
                                           const Volume& y) {
  const BoxPairs boxes(line, axes, h, y);
  const BoxRadii radii = boxes.radii();
  const Pack zero{};
  Pack most = broadcast(-INFINITY), size_x = zero, size_y = zero;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const Pack gap_x = abs(boxes.at[i]) - (boxes.hx[i] + radii.of_y(i));
    const Pack gap_y = abs(boxes.along_y[i]) - (boxes.hy[i] + radii.of_x(i));
    most = max(most, max(gap_x, gap_y));
    const Pack out_x = max(gap_x, zero), out_y = max(gap_y, zero);
    size_x += out_x * out_x;
    size_y += out_y * out_y;
    // Without division by the length of the axis, which is at most 1, the result is still a lower
    // bound.
    for (int j = 0; j < 3; ++j) most = max(most, abs(boxes.across(i, j)) - radii.across(i, j));
  }
  const Pack size = max(size_x, size_y);
  return select(size > zero, max(most, sqrt(size)), most);
}

/// Returns the gaps of the children of `node` and one child of `other`, in the frame of the body of
/// `node`.
inline Pack box_gap(const WideNode& node, const WideNode& other, int lane,
                    const RelativeState& state) {
  const Volume v = volume<VolumeKind::box>(other, lane);
  const Volume y{state.rotation * v.axes, state.rotation * v.center + state.offset, v.half, 0};
  return box_gap(node.center - broadcast(y.center), node.axes, node.box_half, y);
}

}  // namespace toccata
