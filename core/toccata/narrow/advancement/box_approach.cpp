// Bounds of the motion of oriented boxes along their face axes, in double precision.
#include "toccata/narrow/advancement/box_approach.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "toccata/math/parabola.hpp"

namespace toccata {
namespace {

/// A box in world coordinates: its center, and the vectors from there to three faces.
struct WorldBox {
  Vec3d center;
  std::array<Vec3d, 3> half;
  double reach;

  explicit WorldBox(const BodyBox& moving) : reach(moving.reach) {
    // The conversion of floats is exact, and the stored box is the one that contains its contents.
    const Volume& box = moving.box;
    const MotionState& state = moving.state;
    const auto turned = [&](const Vec3f& axis, float length) {
      return state.pose.rotation * (to_double(axis) * static_cast<double>(length));
    };
    center = state.pose * (moving.origin + to_double(box.center));
    half = {turned(box.axes.x, box.half.x), turned(box.axes.y, box.half.y),
            turned(box.axes.z, box.half.z)};
  }

  /// Returns the projected radius of the box along n.
  double extent(const Vec3d& n) const {
    return std::abs(dot(n, half[0])) + std::abs(dot(n, half[1])) + std::abs(dot(n, half[2]));
  }
};

/// A bound of the motion of a box against n: no point moves by more than first t + second t^2 / 2 +
/// third t^3 / 6.
struct Fall {
  double first, second, third;
};

/// Bounds the motion of a box against n. All terms except the last are linear in the point, so the
/// box's projected radius bounds them. `MotionState` defines the acceleration of a point.
Fall fall_of(const WorldBox& box, const MotionState& state, const Vec3d& n) {
  const Vec3d turn = cross(state.spin, n);     // n . (spin x r) = -turn . r
  const Vec3d pull = cross(turn, state.spin);  // turn . (spin x r) = pull . r
  const Vec3d arm = box.center - state.pose * state.pivot;
  Fall fall{dot(turn, arm) + box.extent(turn) - dot(n, state.velocity),
            state.acceleration + state.turning * (norm(arm) + box.reach), 0};
  if (state.spin_speed > 0) {
    fall.second += dot(pull, arm) + box.extent(pull);
    fall.third = norm(turn) * state.spin_speed *
                 (norm(cross(state.spin, arm)) + state.spin_speed * box.reach);
  }
  return fall;
}

}  // namespace

double free_time(const BodyBox& x, const BodyBox& y, const Apart& apart) {
  const WorldBox box_x(x), box_y(y);
  const Vec3d line = box_x.center - box_y.center;
  const double spin = x.state.spin_speed + y.state.spin_speed;
  const double longest = std::min(longest_advance(spin), apart.window);
  double best = 0;
  for (const WorldBox* box : {&box_x, &box_y})
    for (const Vec3d& axis : box->half) {
      const double length = norm(axis), where = dot(line, axis);
      if (!(length > 0)) continue;
      const Vec3d n = axis * (std::copysign(1.0, where) / length);
      // The error bounds 2^-48 of the lengths and speeds; those here are at most a few times
      // larger.
      const double room = dot(line, n) - box_x.extent(n) - box_y.extent(n) - apart.distance -
                          4 * apart.error;
      if (!(room > 0)) continue;
      const Fall a = fall_of(box_x, x.state, n), b = fall_of(box_y, y.state, -n);
      const double slack = 8 * apart.error;
      const double rate = a.first + b.first + slack;
      // For t up to `longest`, third t^3 / 6 is at most (longest / 6) third t^2.
      const double bend = 0.5 * (a.second + b.second) + longest / 6 * (a.third + b.third);
      const double curved = bend + slack * spin + 0x1p-40 * std::abs(bend);
      best = std::max(best, time_to_use_up_if_ever(room, rate, curved));
    }
  return std::min(best, longest) * (1 - 0x1p-40);
}

}  // namespace toccata
