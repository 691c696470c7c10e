// Conservative advancement of eight volumes of one body and one volume of the other: the inner loop
// of all advancement methods (Tang et al. 2013, section 4.2, with bounds that hold in floating
// point).
//
// Each direction n gives a certificate: the gap between the supports of the two volumes along n,
// and a bound of the speed at which that gap closes. A bad direction makes the bound weak, never
// wrong. Single precision suffices, because `RelativeState::gap_slack` and `rate_slack` exceed all
// rounding errors here. Pairs that these bounds do not exclude are decided in double precision at
// the leaves.
#pragma once

#include "toccata/bvh/bvh.hpp"
#include "toccata/math/parabola.hpp"
#include "toccata/narrow/box_axes.hpp"

namespace toccata {

/// Motion of one body in the frame of the lanes' body, at one time. Fields as in `MotionState`.
struct FrameMotion {
  Vec3f pivot, velocity, spin;
  float acceleration, turning, spin_speed;

  bool turns() const { return spin_speed > 0 || turning > 0; }
};

/// Two bodies at one time, in the frame of body x: with x's axes and x's center as origin. The
/// volumes of x fill the lanes, and body y contributes one volume.
struct RelativeState {
  Mat3f rotation;  ///< axes of y in the frame of x
  Vec3f offset;    ///< center of y
  FrameMotion x, y;
  float gap_slack;        ///< exceeds the rounding error of a gap, in length
  float rate_slack;       ///< exceeds the rounding error of an approach rate, in length per time
  float bend_slack;       ///< exceeds the rounding error of an acceleration
  float longest_advance;  ///< longest useful advance
};

/// A volume of y in the frame of x, with the reach of its contents and the motion of its center.
struct MovingVolume {
  Volume volume;
  float reach;
  Vec3f swing, velocity;  ///< spin x arm, and the total velocity
  float swing_speed;      ///< |swing|
  float bend;             ///< bounds the acceleration that the constant spin does not determine
};

/// Returns the axes and the center of a volume in the frame of x. Transforms the four vectors
/// together, coordinate by coordinate.
inline Volume seen_from_x(const RelativeState& state, const WideNode& node, int lane) {
  using Four = simd::Vector<float, 16>;
  const auto four = [lane](const Pack& x, const Pack& y, const Pack& z, const Pack& center) {
    return Four{x[lane], y[lane], z[lane], center[lane]};
  };
  const Mat3p& axes = node.axes;
  const Four x = four(axes.x.x, axes.y.x, axes.z.x, node.center.x);
  const Four y = four(axes.x.y, axes.y.y, axes.z.y, node.center.y);
  const Four z = four(axes.x.z, axes.y.z, axes.z.z, node.center.z);
  const auto& [to_x, to_y, to_z] = state.rotation;
  const Four u = to_x.x * x + to_y.x * y + to_z.x * z;
  const Four v = to_x.y * x + to_y.y * y + to_z.y * z;
  const Four w = to_x.z * x + to_y.z * y + to_z.z * z;
  return {{{u[0], v[0], w[0]}, {u[1], v[1], w[1]}, {u[2], v[2], w[2]}},
          Vec3f{u[3], v[3], w[3]} + state.offset,
          {},
          0};
}

template <VolumeKind kind>
MovingVolume moving_volume(const RelativeState& state, const WideNode& node, int lane) {
  const FrameMotion& m = state.y;
  MovingVolume result{
      seen_from_x(state, node, lane), node.reach[lane], {}, m.velocity, 0, m.acceleration};
  if constexpr (kind == VolumeKind::box) {
    result.volume.half = toccata::lane(node.box_half, lane);
  } else {
    result.volume.half = {node.swept_half_x[lane], node.swept_half_y[lane], 0};
    result.volume.radius = node.swept_radius[lane];
  }
  if (!m.turns()) return result;
  const Vec3f arm = result.volume.center - m.pivot;
  result.swing = cross(m.spin, arm);
  result.velocity = m.velocity + result.swing;
  result.swing_speed = std::sqrt(dot(result.swing, result.swing));
  if (m.turning > 0) result.bend += m.turning * (std::sqrt(dot(arm, arm)) + result.reach);
  return result;
}

/// Gaps and advances, lane by lane.
struct Approach {
  Pack gap;         ///< certified lower bound of the distance; negative if not separated
  Pack step;        ///< the distance exceeds the separation for at least this long
  Pack left;        ///< remaining gap after `step` if all points move like the centers
  Vec3p direction;  ///< direction of the gap: unit, from y to x, in x's axes
  Pack extent{};    ///< sum of the half widths of both volumes along the gap; 0 where unknown
};

/// Gap of eight boxes and one box along the best of some directions. The components are along the
/// axes of the lane's own box.
struct Separation {
  Vec3p direction;
  Pack gap;
  Pack extent{};  ///< sum of the half widths of both boxes along the direction
};

/// Computes the gap along the best of these directions: the gap vectors in the axes of both boxes,
/// and the nine cross products of axes. The gap vectors include the face axes, so all fifteen
/// directions of the separating axis theorem are tried.
[[gnu::always_inline]] inline Separation separate(const Vec3p& line, const Mat3p& axes,
                                                  const Vec3p& h, const Volume& y) {
  const BoxPairs boxes(line, axes, h, y);
  const auto& [at, along_y, r, ar, hx, hy] = boxes;
  const BoxRadii radii = boxes.radii();
  // Computes the gaps along the axes of x, and along the axes of y.
  const Pack zero{};
  const auto outside = [&](Pack where, Pack size) {
    return flip_sign(max(abs(where) - size, zero), where);
  };
  Pack gap_x[3], gap_y[3];
  for (int i = 0; i < 3; ++i) {
    gap_x[i] = outside(at[i], hx[i] + radii.of_y(i));
    gap_y[i] = outside(along_y[i], hy[i] + radii.of_x(i));
  }
  const Pack size_x = gap_x[0] * gap_x[0] + gap_x[1] * gap_x[1] + gap_x[2] * gap_x[2];
  const Pack size_y = gap_y[0] * gap_y[0] + gap_y[1] * gap_y[1] + gap_y[2] * gap_y[2];
  const Mask x_wins = size_x > size_y;
  Pack n[3];
  for (int i = 0; i < 3; ++i)
    n[i] = select(x_wins, gap_x[i], r[i][0] * gap_y[0] + r[i][1] * gap_y[1] + r[i][2] * gap_y[2]);
  // Keeps a direction with its squared length and the squared gap, to compare num2 / den without
  // division. The loops are unrolled, so all indices are constants. The gap vector is stored with
  // its squared length replaced by 2, because fourth powers of lengths would overflow or underflow.
  const Pack size = max(size_x, size_y);
  Pack den = zero + 2, num2 = 2 * size;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const Pack gap = max(abs(boxes.across(i, j)) - radii.across(i, j), zero), gap2 = gap * gap;
      // The cross product of nearly parallel axes is mostly rounding, and would not improve on the
      // face axes.
      const Pack length2 = 1 - r[i][j] * r[i][j];
      const Mask better = (gap2 * den > num2 * length2) & (length2 > 1e-3f);
      den = select(better, length2, den);
      num2 = select(better, gap2, num2);
      n[i] = select(better, zero, n[i]);
      n[i1] = select(better, r[i2][j], n[i1]);
      n[i2] = select(better, -r[i1][j], n[i2]);
    }
  den = select(den > zero + 1.5f, size, den);
  const Pack tiny = broadcast(1e-36f);
  const Pack scale = 1.f / sqrt(max(den, tiny));
  // Orients n from y to x, because cross products may have either sign.
  const Pack along = n[0] * at[0] + n[1] * at[1] + n[2] * at[2], distance = abs(along);
  for (Pack& component : n) component = flip_sign(component, along);
  // Computes the full gap along n. It is at least the length of the gap vector, which used a box
  // around the other box.
  Pack support = abs(n[0]) * hx[0] + abs(n[1]) * hx[1] + abs(n[2]) * hx[2];
  for (int j = 0; j < 3; ++j)
    support += abs(n[0] * r[0][j] + n[1] * r[1][j] + n[2] * r[2][j]) * hy[j];
  // Divides by the length of n, with which all terms above were computed.
  return {Vec3p{n[0], n[1], n[2]} * scale,
          select(den > tiny, distance - support, -distance - tiny) * scale, support * scale};
}

/// Computes advances during which the children of `node` stay apart from `y` by more than
/// `separation`. They are `gap` apart along n, which is not longer than 1 and points from y to x,
/// in x's axes.
[[gnu::always_inline]] inline Approach approach(const WideNode& node, const MovingVolume& y,
                                                const RelativeState& state, float separation,
                                                const Vec3p& n, Pack gap) {
  // The gap closes by at most rate t + (acceleration / 2) t^2 + (jerk / 6) t^3.
  const Pack zero{};
  const FrameMotion &mx = state.x, &my = state.y;
  // The centers approach at `rate`, and other points of the volumes by at most `spread` faster.
  Pack rate = state.rate_slack - dot(n, broadcast(mx.velocity - y.velocity)), spread = zero;
  Pack acceleration = zero + (mx.acceleration + y.bend), jerk = zero;
  if (mx.turns()) {
    const Vec3p arm = node.center - broadcast(mx.pivot), turn = cross(broadcast(mx.spin), n);
    const Vec3p swing = cross(broadcast(mx.spin), arm);
    const Pack turn_speed = norm(turn);
    rate += dot(turn, arm);
    spread += turn_speed * node.reach;
    // A point on a circle accelerates towards the axis. The component along n is known to first
    // order.
    if (mx.spin_speed > 0) {
      acceleration += dot(turn, swing) + turn_speed * mx.spin_speed * node.reach;
      jerk += turn_speed * mx.spin_speed * (norm(swing) + mx.spin_speed * node.reach);
    }
    if (mx.turning > 0) acceleration += mx.turning * (norm(arm) + node.reach);
  }
  if (my.turns()) {
    const Vec3p turn = cross(broadcast(my.spin), n);
    const Pack turn_speed = norm(turn);
    spread += turn_speed * y.reach;
    if (my.spin_speed > 0) {
      acceleration += turn_speed * (my.spin_speed * y.reach) - dot(turn, broadcast(y.swing));
      jerk += turn_speed * (my.spin_speed * (y.swing_speed + my.spin_speed * y.reach));
    }
  }
  // Replaces the cubic by a parabola that exceeds it up to `longest_advance`.
  const Pack bend = acceleration * 0.5f + jerk * (state.longest_advance / 6) + state.bend_slack;
  const Pack step =
      time_to_use_up(gap - separation, rate + spread, max(bend, zero) * (1 + 0x1p-16f));
  const Pack until = min(step, zero + state.longest_advance);
  return {gap, until, gap - rate * until, n};
}

/// Computes gaps and advances of the children of `node` and `y`.
template <VolumeKind kind>
[[gnu::always_inline]] inline Approach approach(const WideNode& node, const MovingVolume& y,
                                                const RelativeState& state, float separation) {
  constexpr bool box = kind == VolumeKind::box;
  const Pack zero{};
  const Vec3p half = box ? node.box_half : Vec3p{node.swept_half_x, node.swept_half_y, zero};
  const Separation best =
      separate(node.center - broadcast(y.volume.center), node.axes, half, y.volume);
  const Pack gap = best.gap - state.gap_slack - (box ? zero : node.swept_radius + y.volume.radius);
  const Vec3p& c = best.direction;
  const Vec3p n = node.axes.x * c.x + node.axes.y * c.y + node.axes.z * c.z;
  Approach found = approach(node, y, state, separation, n, gap);
  found.extent = best.extent;
  return found;
}

}  // namespace toccata
