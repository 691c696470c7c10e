// Conservative advancement for volumes that slide past each other at a short distance.
//
// `approach` uses the direction of the largest gap between two volumes. For conforming surfaces (a
// lid on a box, a shaft in a bore), this is the direction of their motion. They stay apart across
// it, where the gap is small but does not close.
#pragma once

#include "toccata/narrow/advancement/approach.hpp"

namespace toccata {

/// The face axis of either box along which the gap lasts longest if all points move like the
/// centers. In x's axes, not normalized.
struct SlowestFace {
  Vec3p direction;
  Pack gap;     ///< negative if the boxes overlap along all axes
  Pack widest;  ///< the largest gap along any axis, not rounded outward
};

template <VolumeKind kind>
SlowestFace slowest_face(const WideNode& node, const MovingVolume& y, const RelativeState& state) {
  constexpr bool box = kind == VolumeKind::box;
  const Pack zero{};
  const Vec3p line = node.center - broadcast(y.volume.center);
  Vec3p towards = broadcast(y.velocity - state.x.velocity);
  if (state.x.turns())
    towards = towards - cross(broadcast(state.x.spin), node.center - broadcast(state.x.pivot));
  const Vec3p of_y[3] = {broadcast(y.volume.axes.x), broadcast(y.volume.axes.y),
                         broadcast(y.volume.axes.z)};
  const Vec3p* axis[6] = {&node.axes.x, &node.axes.y, &node.axes.z, &of_y[0], &of_y[1], &of_y[2]};
  const Pack half_x[3] = {box ? node.box_half.x : node.swept_half_x,
                          box ? node.box_half.y : node.swept_half_y, box ? node.box_half.z : zero};
  const float half_y[3] = {y.volume.half.x, y.volume.half.y, y.volume.half.z};
  const Pack radius = box ? zero : node.swept_radius + y.volume.radius;
  SlowestFace best{{zero, zero, zero}, broadcast(-1), broadcast(-INFINITY)};
  Pack rate = broadcast(1);
  for (const Vec3p* n : axis) {
    Pack reach = radius;
    for (int i = 0; i < 3; ++i)
      reach += abs(dot(*n, *axis[i])) * half_x[i] + abs(dot(*n, *axis[3 + i])) * half_y[i];
    const Pack where = dot(line, *n), gap = abs(where) - reach;
    const Pack closing = max(flip_sign(dot(towards, *n), where), zero) + state.rate_slack;
    best.widest = max(best.widest, gap);
    // Compares the times gap / rate without division.
    const Mask longer = (gap > state.gap_slack) & (gap * rate > best.gap * closing);
    best.gap = select(longer, gap, best.gap);
    best.direction.x = select(longer, flip_sign(n->x, where), best.direction.x);
    best.direction.y = select(longer, flip_sign(n->y, where), best.direction.y);
    best.direction.z = select(longer, flip_sign(n->z, where), best.direction.z);
    rate = select(longer, closing, rate);
  }
  return best;
}

}  // namespace toccata
