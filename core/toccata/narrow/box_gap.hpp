// How far eight boxes of one body are from one box of the other at one time.
//
// Cheaper than `approach`, which also asks how fast they come nearer: for guesses, and for volumes
// that have no motion of their own.
#pragma once

#include "toccata/narrow/approach.hpp"

namespace toccata {

/// A lower bound of the distance, up to rounding; if negative, about how deep they overlap. `line`
/// leads from the center of y to those of the lanes. Tries all fifteen directions of the separating
/// axis theorem, and the gap vectors in the axes of either box.
[[gnu::always_inline]] inline Pack box_gap(const Vec3p& line, const Mat3p& axes, const Vec3p& h,
                                           const Volume& y) {
  const Vec3p* ex[3] = {&axes.x, &axes.y, &axes.z};
  const Vec3f* ey[3] = {&y.axes.x, &y.axes.y, &y.axes.z};
  const Pack hx[3] = {h.x, h.y, h.z};
  const float hy[3] = {y.half.x, y.half.y, y.half.z};
  Pack at[3], r[3][3], ar[3][3];
  for (int i = 0; i < 3; ++i) {
    at[i] = dot(line, *ex[i]);
    for (int j = 0; j < 3; ++j) {
      r[i][j] = dot(*ex[i], *ey[j]);
      ar[i][j] = abs(r[i][j]);
    }
  }
  const Pack zero{};
  Pack most = broadcast(-INFINITY), size_x = zero, size_y = zero;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const Pack reach_x = hx[i] + (ar[i][0] * hy[0] + ar[i][1] * hy[1] + ar[i][2] * hy[2]);
    const Pack reach_y = hy[i] + (ar[0][i] * hx[0] + ar[1][i] * hx[1] + ar[2][i] * hx[2]);
    const Pack gap_x = abs(at[i]) - reach_x, gap_y = abs(dot(line, *ey[i])) - reach_y;
    most = max(most, max(gap_x, gap_y));
    const Pack out_x = max(gap_x, zero), out_y = max(gap_y, zero);
    size_x += out_x * out_x;
    size_y += out_y * out_y;
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // Not divided by the length of the axis, which is at most 1: a gap is still a gap.
      const Pack where = at[i2] * r[i1][j] - at[i1] * r[i2][j];
      const Pack reach = hx[i1] * ar[i2][j] + hx[i2] * ar[i1][j] +
                         (ar[i][j2] * hy[j1] + ar[i][j1] * hy[j2]);
      most = max(most, abs(where) - reach);
    }
  }
  const Pack size = max(size_x, size_y);
  return select(size > zero, max(most, sqrt(size)), most);
}

/// The children of `node` against a child of `other`, seen from the body of `node`.
inline Pack box_gap(const WideNode& node, const WideNode& other, int lane,
                    const RelativeState& state) {
  const Volume v = volume<VolumeKind::box>(other, lane);
  const Volume y{state.rotation * v.axes, state.rotation * v.center + state.offset, v.half, 0};
  return box_gap(node.center - broadcast(y.center), node.axes, node.box_half, y);
}

}  // namespace toccata
