// How far node pairs are apart at one time, for walks that ask for nothing else.
#pragma once

#include "toccata/narrow/advancement/approach.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// The gap of eight boxes from one along a line that is close to that of their closest points: the
/// gap of boxes far apart. Any direction gives a lower bound, minus infinity where boxes meet.
[[gnu::always_inline]] inline Pack gap_along_line(const BoxPairs& boxes) {
  const auto& [at, along_y, r, ar, hx, hy] = boxes;
  const Pack zero{};
  Pack from[3], n[3], gap = zero, length2 = zero;
  // From the center of y to the nearest point of x, and back to the nearest point of y.
  for (int i = 0; i < 3; ++i) from[i] = at[i] - max(min(at[i], hx[i]), -hx[i]);
  for (int j = 0; j < 3; ++j) {
    const Pack there = r[0][j] * from[0] + r[1][j] * from[1] + r[2][j] * from[2];
    n[j] = there - max(min(there, broadcast(hy[j])), broadcast(-hy[j]));
    length2 += n[j] * n[j];
  }
  for (int j = 0; j < 3; ++j) gap -= abs(n[j]) * hy[j];
  for (int i = 0; i < 3; ++i) {
    const Pack along = r[i][0] * n[0] + r[i][1] * n[1] + r[i][2] * n[2];
    gap += along * at[i] - abs(along) * hx[i];
  }
  // What is shorter has lost digits.
  const Pack least = broadcast(1e-30f);
  return select(length2 > least, gap / sqrt(max(length2, least)), broadcast(-INFINITY));
}

/// Lower bounds of the distances of the children of a split, by their boxes. Of triangles that
/// boxes do not prove to be farther apart than `limit`, by themselves.
inline Pack gaps_of(const Expansion<VolumeKind::box>& expansion, const RelativeState& seen,
                    double limit) {
  const WideNode& node = expansion.node();
  const Volume v =
      volume<VolumeKind::box>(expansion.other_node(), expansion.siblings().other.lane());
  const Volume other{seen.rotation * v.axes, seen.rotation * v.center + seen.offset, v.half, 0};
  const Vec3p line = node.center - broadcast(other.center);
  const BoxPairs boxes(line, node.axes, node.box_half, other);
  Pack gap = max(separate(line, node.axes, node.box_half, other).gap, gap_along_line(boxes)) -
             seen.gap_slack;
  const unsigned near = expansion.triangles() &
                        ~bits(gap > broadcast(static_cast<float>(limit) * (1 + 0x1p-20f)));
  if (!(near & (near - 1))) return gap;  // one is looked at soon enough
  const Pack closer = expansion.triangle_bounds(seen, near).gap;
  for_lanes(near, [&](int lane) { gap.set(lane, std::max(gap[lane], closer[lane])); });
  return gap;
}

}  // namespace toccata
