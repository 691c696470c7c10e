// Moving 16-DOPs: bounding volumes with sixteen fixed directions, for points that move linearly
// during a step.
#pragma once

#include <algorithm>

#include "toccata/math/pack.hpp"
#include "toccata/query/deforming/frames.hpp"

namespace toccata {

/// Coordinates of a vertex along eight directions, at the start and at the end: the axes, and
/// diagonals of length sqrt(2). They fill one pack.
struct KdopPoint {
  Pack start, end;
};

inline Pack along_directions(const Vec3f& p) {
  return Pack{p.x, p.y, p.z, p.x + p.y, p.x - p.y, p.x + p.z, p.x - p.z, p.y + p.z};
}

/// A 16-DOP at the start of a step and one at its end, one lane per direction. Their sides move
/// linearly in between. Proves that this volume contains all points inside that move linearly: the
/// minimum of linear functions is concave, so it is above the line between its ends.
struct Kdop {
  Pack lo_0, hi_0, lo_1, hi_1;
};

inline Kdop empty_kdop() {
  const Pack far = broadcast(1e30f);
  return {far, -far, far, -far};
}
inline void extend(Kdop& k, const KdopPoint& s) {
  k = {min(k.lo_0, s.start), max(k.hi_0, s.start), min(k.lo_1, s.end), max(k.hi_1, s.end)};
}
inline Kdop around(const Kdop& a, const Kdop& b) {
  return {min(a.lo_0, b.lo_0), max(a.hi_0, b.hi_0), min(a.lo_1, b.lo_1), max(a.hi_1, b.hi_1)};
}
inline Kdop grown(const Kdop& k, Pack margin) {
  return {k.lo_0 - margin, k.hi_0 + margin, k.lo_1 - margin, k.hi_1 + margin};
}

/// Returns the margin of a frame along each direction. Along a diagonal, coordinates are up to
/// twice as large and lengths count sqrt(2) times. The margin along an axis is twice what `meeting`
/// needs there, because coordinates are at most half the size of the scene. Therefore sqrt(2) times
/// this margin suffices.
inline Pack kdop_margin(const LocalFrame& local) {
  const float axis = local.margin, diagonal = 1.4142137f * local.margin;
  return Pack{axis, axis, axis, diagonal, diagonal, diagonal, diagonal, diagonal};
}

inline float greatest(Pack a) {
  float r = a[0];
  for (int k = 1; k < lanes; ++k) r = std::max(r, a[k]);
  return r;
}

/// Returns whether two volumes meet at or before `cutoff`. Margins of 2^-20 of the largest
/// coordinate, added to both, cover the rounding here. Sides err by 2^-23 of that coordinate. The
/// roots err by as much, because the functions exceed 2^-19 of it when the contents meet.
inline bool meeting(const Kdop& a, const Kdop& b, float cutoff) {
  const Pack p0 = a.hi_0 - b.lo_0, p1 = a.hi_1 - b.lo_1;
  const Pack q0 = b.hi_0 - a.lo_0, q1 = b.hi_1 - a.lo_1;
  const Mask apart = (sign_bits(p0) & sign_bits(p1)) | (sign_bits(q0) & sign_bits(q1));
  if (signs(apart) != 0) return false;
  // The volumes overlap at the start.
  if (signs(sign_bits(p0) | sign_bits(q0)) == 0) return true;
  const Pack zero{}, one = broadcast(1);
  const Pack p = p0 / (p0 - p1), q = q0 / (q0 - q1);
  const Pack enter = max(select(p0 < zero, p, zero), select(q0 < zero, q, zero));
  const Pack leave = min(select(p1 < zero, p, one), select(q1 < zero, q, one));
  const float first = greatest(enter);
  return first <= -greatest(-leave) && first <= cutoff;
}

inline bool overlapping_at_start(const Kdop& a, const Kdop& b) {
  return bits((a.lo_0 > b.hi_0) | (b.lo_0 > a.hi_0)) == 0;
}

}  // namespace toccata
