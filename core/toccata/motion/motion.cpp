// Motions during a window, and boxes around the paths of bodies.
#include "toccata/motion/motion.hpp"

namespace toccata {

/// A motion during a window that begins at `start`, with its time scaled to [0, 1].
struct MotionPart {
  Motion whole;
  double start, length;

  double time(double t) const { return std::min(start + t * length, 1.0); }
};

Motion Motion::part(Interval window) const {
  if (is_fixed()) return *this;
  Motion result(twist_);
  result.part_ =
      std::make_shared<const MotionPart>(MotionPart{*this, window.lo, window.hi - window.lo});
  return result;
}

Motion Motion::scaled(int exponent) const {
  if (part_) {
    Motion result(twist_);
    result.part_ = std::make_shared<const MotionPart>(
        MotionPart{part_->whole.scaled(exponent), part_->start, part_->length});
    return result;
  }
  if (spline_) return Motion(std::make_shared<const Spline>(spline_->scaled(exponent)));
  return chain_ ? Motion(chain_->scaled(exponent)) : Motion(twist_.scaled(exponent));
}

double Motion::extent() const {
  if (part_) return part_->whole.extent();
  return spline_ ? spline_->extent() : chain_ ? chain_->extent() : twist_.extent();
}

bool Motion::has_kinks() const {
  return part_ ? part_->whole.has_kinks() : spline_ && spline_->has_kinks();
}

Pose Motion::pose_of_part(double t) const { return part_->whole.pose(part_->time(t)); }

MotionState Motion::state_of_part(double t, double end) const {
  // The end of the window must not be rounded down.
  MotionState state =
      part_->whole.state(part_->time(t), std::min(part_->time(end) * (1 + 0x1p-50), 1.0));
  const double scale = part_->length, square = scale * scale * (1 + 0x1p-40);
  state.velocity = state.velocity * scale;
  state.spin = state.spin * scale;
  state.acceleration *= square;
  state.turning *= square;
  state.spin_speed *= scale * (1 + 0x1p-40);
  return state;
}

double Motion::error_of_part(double reach) const {
  // Times are rounded twice, by 2^-53 each. The error of the whole motion exceeds 2^-48 of all
  // speeds.
  return 2 * part_->whole.error(reach);
}

Box swept_box(const Motion& motion, const Vec3d& center, double radius, Interval window) {
  // First-order Taylor expansion about the middle. The rotation does not change the shape of a
  // ball.
  const double mid = middle(window), half = std::max(window.hi - mid, mid - window.lo);
  const MotionState state = motion.state(mid, window.hi);
  // Bounds of constant rates are equal at all times.
  const MotionState ahead = motion.is_twist() ? state : motion.state(window.lo, window.hi);
  const Vec3d arm = state.pose.rotation * (center - state.pivot);
  const Vec3d velocity = state.velocity + cross(state.spin, arm);
  // |spin x arm| is constant if the spin is constant; otherwise spin_speed is zero.
  const double bend = std::max(ahead.acceleration, state.acceleration) +
                      std::max(ahead.turning, state.turning) * norm(arm) +
                      state.spin_speed * norm(cross(state.spin, arm));
  const Vec3d middle_point = state.pose * center;
  const double margin = (radius + 0.5 * bend * half * half) * (1 + 0x1p-40) +
                        motion.error(norm(center)) + 0x1p-48 * norm1(middle_point);
  const auto reach = [&](double speed) { return margin + std::abs(speed) * half * (1 + 0x1p-40); };
  const Vec3d r{reach(velocity.x), reach(velocity.y), reach(velocity.z)};
  return {middle_point - r, middle_point + r};
}

/// Uses that the Taylor polynomial of the state at 0, with its remainder, encloses all paths
/// until 1.
double farthest_move(const Motion& motion, const Vec3d& center, double radius) {
  if (motion.is_fixed()) return 0;
  const MotionState s = motion.state(0, 1);
  const double arm = norm(center - s.pivot) + radius;
  const double spin = std::max(norm(s.spin), s.spin_speed);
  const double bend = s.acceleration + arm * (s.turning + s.spin_speed * spin);
  return (norm(s.velocity) + spin * arm + bend / 2) * (1 + 0x1p-40);
}

}  // namespace toccata
