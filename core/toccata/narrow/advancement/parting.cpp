#include "toccata/narrow/advancement/parting.hpp"

#include <algorithm>

#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {
namespace {

constexpr int most_steps = 256;
constexpr double shortest = 0x1p-36;  // a step that is worth another one

/// The height of a point over a plane of another body is at least height + rate t - bend t^2.
struct Rising {
  double height, rate, bend;
};

/// During which time a point that rises is within a distance, moving away, or beyond it.
struct Away {
  double leaves;  // beyond the distance from here on; infinite if that is not known
  double until;   // to here
};

// The parabola is concave: within the distance it rises up to its top, and it is beyond between the
// two times at which it reaches the distance.
Away away(const Rising& p, double distance) {
  const double missing = distance - p.height;
  if (missing < 0) return {0, time_to_use_up(-missing, -p.rate, p.bend)};
  if (!(p.rate > 0)) return {infinity, 0};
  const double root2 = p.rate * p.rate - 4 * p.bend * missing;
  if (!(root2 > 0)) return {infinity, p.rate / (2 * p.bend)};
  const double root = p.rate + std::sqrt(root2);
  return {2 * missing / root, root / (2 * p.bend)};
}

/// The acceleration of a vector that turns at a constant spin; nothing is known of it otherwise.
Vec3d centripetal(const MotionState& state, const Vec3d& arm) {
  return state.spin_speed > 0 ? cross(state.spin, cross(state.spin, arm)) : Vec3d{0, 0, 0};
}

/// A plane that a body carries along, at the start of a window of some length.
class CarriedPlane {
 public:
  /// The plane across n over all of the hull.
  CarriedPlane(const Vec3d& n, const Hull& hull, const MotionState& state, double length)
      : n_(n),
        turn_(cross(state.spin, n)),
        pivot_(state.pose * state.pivot),
        state_(state),
        length_(length) {
    for (const Vec3d& corner : (state.pose * hull).corner)
      top_ = std::max(top_, dot(n, corner - pivot_));
    top_ += hull.radius;
  }

  /// With q from the pivot to the point, n.q is the height, n'.q + n.q' its rate, and its second
  /// derivative n''.q + 2 n'.q' + n.q''. That is known at the start, but for the parts of n'' and
  /// q'' that are no constant spin, and changes at most as fast as
  ///   |n'''| |q| + 3 |n''| |q'| + 3 |n'| |q''| + |q'''|,
  /// all at their largest during the window. This holds for all points within `margin`, which turn
  /// about the point and under the plane.
  Rising rising(const Vec3d& point, const MotionState& state, double margin) const {
    const Vec3d arm = point - state.pose * state.pivot, q = point - pivot_;
    const Vec3d velocity = state.velocity + cross(state.spin, arm) - state_.velocity;
    const double h = length_, spin = norm(state.spin), spins = spin + norm(state_.spin);
    const double lever = norm(arm) + margin, turn = norm(turn_);
    const double n3 = state_.spin_speed * state_.spin_speed * turn;
    const double n2 = state_.spin_speed * turn + state_.turning, n1 = turn + n2 * h;
    const double pull = state.spin_speed * spin * lever;
    const double strange = state.acceleration + state.turning * lever + state_.acceleration;
    const double q2 = pull + strange, q1 = norm(velocity) + spin * margin + q2 * h;
    const double q0 = norm(q) + margin + q1 * h;
    const double change = n3 * q0 + 3 * (n2 * q1 + n1 * q2) + state.spin_speed * pull;
    const double known = dot(centripetal(state_, n_), q) + 2 * dot(turn_, velocity) +
                         dot(n_, centripetal(state, arm));
    // Coordinates and velocities carry fewer than 32 roundings each.
    const double sizes = norm1(point) + norm1(pivot_) + norm1(arm);
    const double slack = 0x1p-47 * (norm1(state.velocity) + norm1(state_.velocity) + spins * sizes);
    const double unknown = strange + state_.turning * q0 +
                           spins * (4 * spins * margin + 16 * slack);
    return {dot(n_, q) - top_ - margin, dot(turn_, q) + dot(n_, velocity) - spins * margin - slack,
            std::max(0.0, 0.5 * (unknown - known) + change * h / 6) * (1 + 0x1p-40)};
  }

 private:
  Vec3d n_, turn_, pivot_;
  const MotionState& state_;
  double length_, top_ = -infinity;
};

/// One hull over a plane that the other one carries along, n in the axes of that body.
class Leaving {
 public:
  Leaving(const Vec3d& n, const CarriedHull& over, const CarriedHull& carrier,
          const TouchLimits& touch)
      : over_(over),
        carrier_(carrier),
        touch_(touch),
        n_(transposed_times(carrier.motion.pose(0).rotation, n)) {}

  Parting run() {
    double time = 0, length = 1;
    for (int k = 0; k < most_steps; ++k) {
      const double end = std::min(time + length, 1.0);
      const Away step = next(time, end);
      if (step.leaves <= step.until) return {later(time + step.leaves), true};
      if (!(step.until > shortest)) break;
      time += step.until;
      if (time >= 1) return {infinity, false};
      length = 8 * step.until;
    }
    return {time, false};
  }

 private:
  /// A little later, so that rounding does not leave the pair in touch.
  static double later(double time) { return time * (1 + 0x1p-20); }

  /// From a time on, with bounds that hold until `end`: when all corners are beyond the distance,
  /// and how long each of them moves away or is beyond.
  Away next(double time, double end) const {
    const MotionState state = over_.motion.state(time, end),
                      base = carrier_.motion.state(time, end);
    const double longest = longest_advance(norm(state.spin) + norm(base.spin));
    const double length = std::min(end - time, longest);
    const CarriedPlane plane(base.pose.rotation * n_, carrier_.body, base, length);
    Away all{0, end < 1 || longest < end - time ? length : infinity};
    for (const Vec3d& corner : (state.pose * over_.body).corner) {
      Rising p = plane.rising(corner, state, over_.body.radius);
      p.rate -= 4 *
                touch_.error;  // bounds what the motions' own speeds are rounded by (`MovingPair`)
      const Away one = away(p, touch_.distance);
      all = {std::max(all.leaves, one.leaves), std::min(all.until, one.until)};
    }
    return all;
  }

  const CarriedHull &over_, &carrier_;
  const TouchLimits& touch_;
  Vec3d n_;
};

}  // namespace

Parting leaving_along(const Vec3d& n, const CarriedHull& over, const CarriedHull& carrier,
                      const TouchLimits& touch) {
  const Hull start = over.motion.pose(0) * over.body, base = carrier.motion.pose(0) * carrier.body;
  if (!(gap_along(n, start, base) >= touch.gap)) return {};
  return Leaving(n, over, carrier, touch).run();
}

Parting parting_along(const Vec3d& n, const CarriedHull& a, const CarriedHull& b,
                      const TouchLimits& touch) {
  return better(leaving_along(n, a, b, touch), leaving_along(-n, b, a, touch));
}

}  // namespace toccata
