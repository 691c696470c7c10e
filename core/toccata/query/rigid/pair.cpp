#include "toccata/query/rigid/pair.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace toccata {
namespace {

double rounding_error(const Body& body) {
  // The hierarchy's coordinates are relative to the mesh's center: one more rounding of `reach`.
  return body.motion.error(body.mesh.reach()) + 0x1p-50 * body.mesh.reach();
}

FrameMotion in_frame(const Mat3d& axes, const Vec3d& origin, const MotionState& motion) {
  return {to_float(transposed_times(axes, motion.pose * motion.pivot - origin)),
          to_float(transposed_times(axes, motion.velocity)),
          to_float(transposed_times(axes, motion.spin)),
          static_cast<float>(motion.acceleration) * (1 + 0x1p-20f),
          static_cast<float>(motion.turning) * (1 + 0x1p-20f),
          static_cast<float>(motion.spin_speed) * (1 + 0x1p-20f)};
}

}  // namespace

MovingPair::MovingPair(const Body& a, const Body& b, const Options& options)
    : a_(a), b_(b), options_(options) {
  // A motion's error is 2^-48 of all coordinates and speeds that can occur (or more), so that the
  // few further roundings of differences and dot products, 2^-51 each, stay below half of it.
  error_ = 1.5 * (rounding_error(a) + rounding_error(b));
  // For the same reason this exceeds 2^-18 of any speed, what single precision may lose of it.
  rate_slack_ = error_ * 0x1p30;
  const double least = 8 * error_;
  if (options_.tolerance == 0)
    options_.tolerance = std::max(1e-6 * std::max(a.mesh.radius(), b.mesh.radius()), 4 * least);
  if (!(options_.tolerance > least)) {
    char text[128];
    std::snprintf(text, sizeof text, "expected more than %.3g, the rounding error here, got %.3g",
                  least, options_.tolerance);
    throw std::invalid_argument(std::string("tolerance: ") + text);
  }
}

PairState MovingPair::state(double t, double end) const {
  PairState state{t, a_.motion.state(t, end), b_.motion.state(t, end), {}, {}};
  state.center_a = state.a.pose * a_.mesh.center();
  state.center_b = state.b.pose * b_.mesh.center();
  return state;
}

RelativeState MovingPair::relative(const PairState& s, bool a_is_x) const {
  const MotionState &x = a_is_x ? s.a : s.b, &y = a_is_x ? s.b : s.a;
  const Mat3d& axes = x.pose.rotation;
  const Vec3d apart = a_is_x ? s.center_b - s.center_a : s.center_a - s.center_b;
  RelativeState state;
  state.rotation = to_float(transposed_times(axes, y.pose.rotation));
  state.offset = to_float(transposed_times(axes, apart));
  const Vec3d& origin = a_is_x ? s.center_a : s.center_b;
  state.x = in_frame(axes, origin, x);
  state.y = in_frame(axes, origin, y);
  // A gap is a sum of fewer than 24 products; each factor carries at most 8 roundings, and no term
  // exceeds the span of the two bodies: 24 * 10 * 2^-24 < 2^-16 would do for the crudest count. The
  // products' weights (direction cosines) add up to at most 3 per body, which leaves 2^-18.
  const double span = norm1(apart) + a_.mesh.radius() + b_.mesh.radius();
  state.gap_slack = static_cast<float>(0x1p-18 * span + 2 * error_) + 1e-30f;
  state.rate_slack = static_cast<float>(rate_slack_);
  return state;
}

}  // namespace toccata
