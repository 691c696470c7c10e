// Tolerances and rounding errors of a pair, and the relative motion of its volumes in single
// precision.
#include "toccata/walk/pair.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "toccata/geometry/tolerance.hpp"
#include "toccata/walk/resting.hpp"

namespace toccata {
namespace {

/// Transforms a motion into another frame.
FrameMotion transformed(const Mat3f& rotation, const Vec3f& offset, const FrameMotion& m) {
  FrameMotion result = m;
  result.pivot = rotation * m.pivot + offset;
  result.velocity = rotation * m.velocity;
  result.spin = rotation * m.spin;
  return result;
}

}  // namespace

double rounding_error(const Body& body) {
  return rounding_error(body.motion.error(body.mesh.reach()), body.mesh);
}

MovingPair::MovingPair(const Body& a, const Body& b, const Options& options)
    : a_(a),
      b_(b),
      fixed_a_(a.motion.is_fixed()),
      fixed_b_(b.motion.is_fixed()),
      options_(options) {
  if (fixed_a_) place(a.mesh, a.motion.state(0, 1), start_a_);
  if (fixed_b_) place(b.mesh, b.motion.state(0, 1), start_b_);
  // The error covers the rounding of differences and dot products, too: the error of a motion is at
  // least 2^-48 of all coordinates and speeds that occur, and these few roundings, 2^-51 each, stay
  // below half of it.
  error_ = error_of_pair(rounding_error(a), rounding_error(b));
  // This exceeds 2^-18 of any speed, for the same reason: more than single precision loses.
  rate_slack_ = error_ * 0x1p30;
  const double least = least_in_errors * error_;
  if (options_.tolerance == 0)
    options_.tolerance =
        default_tolerance(contact_share, std::min(a.mesh.radius(), b.mesh.radius()), error_);
  if (!(options_.tolerance > least)) {
    char text[128];
    std::snprintf(text, sizeof text, "expected more than %.3g, the rounding error here, got %.3g",
                  std::ldexp(least, -options_.exponent),
                  std::ldexp(options_.tolerance, -options_.exponent));
    throw std::invalid_argument(std::string("tolerance: ") + text);
  }
  stated_tolerance_ = options_.tolerance;
  if (options_.initial == Initial::resting) let_rest(*this);
  if (options_.initial == Initial::ignore_separating) keep_start_gap();
}

/// Raises the separation to the distance at the start, for bodies that start within separation +
/// tolerance, so that they do not come nearer. The sum of separation and tolerance stays the same.
///
/// The raise is valid: no contact is reported that would not be reported without it, and all
/// certificates hold for the larger separation. The remaining tolerance is at least twice the least
/// tolerance. For curved bodies it is also at least a quarter of the tolerance, because a smaller
/// tolerance requires too many cells.
void MovingPair::keep_start_gap() {
  start_gap_ = toccata::start_gap(*this);
  if (!start_gap_.is_near) return;
  const double near = options_.separation + options_.tolerance;
  const bool is_curved = a_.mesh.surface() || b_.mesh.surface();
  const double rest =
      std::max(2 * least_in_errors * error_, is_curved ? options_.tolerance / 4 : 0.0);
  const double kept = std::min(start_gap_.distance, near - rest);
  if (!(kept > options_.separation)) return;
  options_.separation = kept;
  options_.tolerance = near - kept;
}

double MovingPair::stays_until() const {
  if (stays_until_ < 0) stays_until_ = bodies_stay_until(*this);
  return stays_until_;
}

void MovingPair::rest_at(const Interval& start) {
  start_ = start;
  const double separation = start.hi / 2, tolerance = 5.0 / 8 * start.lo - separation;
  unclear_ = !(tolerance > least_in_errors * error_);
  if (unclear_) return;
  options_.separation = separation;
  options_.tolerance = stated_tolerance_ = tolerance;
}

void MovingPair::place(const Mesh& mesh, const MotionState& m, BodyState& state) {
  state.motion = m;
  const Mat3d& axes = m.pose.rotation;
  state.center = m.pose * mesh.center();
  state.axes = to_float(axes);
  state.local = {to_float(m.pivot - mesh.center()),
                 to_float(transposed_times(axes, m.velocity)),
                 to_float(transposed_times(axes, m.spin)),
                 static_cast<float>(m.acceleration) * (1 + 0x1p-20f),
                 static_cast<float>(m.turning) * (1 + 0x1p-20f),
                 static_cast<float>(m.spin_speed) * (1 + 0x1p-20f)};
}

RelativeState MovingPair::relative(const PairState& s, bool a_fills_lanes) const {
  const BodyState &x = a_fills_lanes ? s.a : s.b, &y = a_fills_lanes ? s.b : s.a;
  const Vec3d apart = y.center - x.center;
  RelativeState state;
  state.rotation = transposed_times(x.axes, y.axes);
  state.offset = to_float(transposed_times(x.motion.pose.rotation, apart));
  state.x = x.local;
  state.y = transformed(state.rotation, state.offset, y.local);
  // The slack of 2^-18 of the span covers the rounding of gaps. A gap is a sum of fewer than 24
  // products. Each factor has at most 8 roundings, and no term exceeds the span of the two bodies.
  // A crude count gives 24 * 10 * 2^-24 < 2^-16. The weights of the products (direction cosines)
  // add up to at most 3 per body, which leaves 2^-18.
  const double span = norm1(apart) + a_.mesh.radius() + b_.mesh.radius();
  state.gap_slack = static_cast<float>(0x1p-18 * span + 2 * error_) + 1e-30f;
  const float spin = x.local.spin_speed + y.local.spin_speed;
  state.rate_slack = static_cast<float>(rate_slack_);
  state.bend_slack = state.rate_slack * spin;
  state.longest_advance = static_cast<float>(longest_advance(spin));
  return state;
}

}  // namespace toccata
