// Gaps of node pairs at one time, for traversals that need no advances: distances and proximities.
#pragma once

#include "toccata/narrow/advancement/approach.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Returns the gaps of eight boxes from another box, each along a line that is close to the line of
/// the closest points: a good bound for boxes that are far apart. Every direction gives a lower
/// bound. The result is minus infinity where no line is found.
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
  // A shorter line has lost too many digits.
  const Pack least = broadcast(1e-30f);
  return select(length2 > least, gap / sqrt(max(length2, least)), broadcast(-INFINITY));
}

/// Returns lower bounds of the distances of siblings, by their boxes. Triangles whose boxes are not
/// proven to be farther apart than `limit` are bounded themselves.
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
  if (!(near & (near - 1))) return gap;  // a single triangle is tested next anyway
  const Pack closer = expansion.triangle_bounds(seen, near).gap;
  for_lanes(near, [&](int lane) { gap.set(lane, std::max(gap[lane], closer[lane])); });
  return gap;
}

}  // namespace toccata
