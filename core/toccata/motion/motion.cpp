#include "toccata/motion/motion.hpp"

namespace toccata {

Box swept_box(const Motion& motion, const Vec3d& center, double radius, Interval window) {
  // First-order Taylor expansion about the middle. The ball turns with the body but stays a ball.
  const double mid = middle(window), half = std::max(window.hi - mid, mid - window.lo);
  const MotionState ahead = motion.state(window.lo, window.hi);
  const MotionState state = motion.state(mid, window.hi);
  const Vec3d arm = state.pose.rotation * (center - state.pivot);
  const Vec3d velocity = state.velocity + cross(state.spin, arm);
  // |spin x arm| is the same at all times of a constant spin; otherwise spin_speed is zero.
  const double bend = std::max(ahead.acceleration, state.acceleration) +
                      std::max(ahead.turning, state.turning) * norm(arm) +
                      state.spin_speed * norm(cross(state.spin, arm));
  const Vec3d middle_point = state.pose * center;
  const double margin =
      (radius + 0.5 * bend * half * half) * (1 + 0x1p-40) +
      motion.error(norm(center)) + 0x1p-48 * norm1(middle_point);
  const auto reach = [&](double speed) { return margin + std::abs(speed) * half * (1 + 0x1p-40); };
  const Vec3d r{reach(velocity.x), reach(velocity.y), reach(velocity.z)};
  return {middle_point - r, middle_point + r};
}

}  // namespace toccata
