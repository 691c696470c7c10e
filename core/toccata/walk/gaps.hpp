// How far node pairs are apart at one time, for walks that ask for nothing else.
#pragma once

#include "toccata/narrow/advancement/approach.hpp"
#include "toccata/walk/expand.hpp"

namespace toccata {

/// Lower bounds of the distances of the children of a split, by their boxes. Of triangles that
/// boxes do not prove to be farther apart than `limit`, by themselves.
inline Pack gaps_of(const Expansion<VolumeKind::box>& expansion, const RelativeState& seen,
                    double limit) {
  const WideNode& node = expansion.node();
  const Volume v = volume<VolumeKind::box>(expansion.other_node(), expansion.family().other.lane());
  const Volume other{seen.rotation * v.axes, seen.rotation * v.center + seen.offset, v.half, 0};
  const Vec3p line = node.center - broadcast(other.center);
  Pack gap = separate(line, node.axes, node.box_half, other).gap - seen.gap_slack;
  const unsigned near = expansion.triangles() &
                        ~bits(gap > broadcast(static_cast<float>(limit) * (1 + 0x1p-20f)));
  if (!(near & (near - 1))) return gap;  // one is looked at soon enough
  const Pack closer = expansion.triangle_bounds(seen, near).gap;
  for_lanes(near, [&](int lane) { gap.set(lane, std::max(gap[lane], closer[lane])); });
  return gap;
}

}  // namespace toccata
