// Proofs that a hull rises above a plane fixed in another hull's body.
#include "toccata/narrow/advancement/parting.hpp"

#include <algorithm>

#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {
namespace {

constexpr int most_steps = 256;
// Shortest advance that is worth another one.
constexpr double shortest = 0x1p-36;

/// A lower bound height + rate t - bend t^2 of the height of a point above a plane of another body.
struct Rising {
  double height, rate, bend;
};

/// Times at which a rising point leaves a distance, and until which it moves away or is beyond it.
struct Away {
  double leaves;  // beyond the distance after this time; infinite if unknown
  double until;   // end of the proof
};

// The parabola is concave. Within the distance the point rises up to the vertex of the parabola,
// and it is beyond the distance between the two times at which the parabola has that value.
Away away(const Rising& p, double distance) {
  const double missing = distance - p.height;
  if (missing < 0) return {0, time_to_use_up(-missing, -p.rate, p.bend)};
  if (!(p.rate > 0)) return {infinity, 0};
  const double root2 = p.rate * p.rate - 4 * p.bend * missing;
  if (!(root2 > 0)) return {infinity, p.rate / (2 * p.bend)};
  const double root = p.rate + std::sqrt(root2);
  return {2 * missing / root, root / (2 * p.bend)};
}

/// Returns the acceleration of a vector that rotates at a constant spin. For a varying spin it is
/// unknown, and the result is 0.
Vec3d centripetal(const MotionState& state, const Vec3d& arm) {
  return state.spin_speed > 0 ? cross(state.spin, cross(state.spin, arm)) : Vec3d{0, 0, 0};
}

/// A plane fixed in a body, at the start of a window of the given length.
class CarriedPlane {
 public:
  /// Makes the plane perpendicular to n that touches the hull from above.
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

  /// Bounds the height of a point above the plane during the window. With q from the pivot to the
  /// point, the height is n.q, its rate n'.q + n.q', and its second derivative n''.q + 2 n'.q' +
  /// n.q''. The second derivative is known at the start, except for the components of n'' and q''
  /// that no constant spin determines. It changes at most at the rate
  ///   |n'''| |q| + 3 |n''| |q'| + 3 |n'| |q''| + |q'''|
  /// with all terms at their maximum in the window. The bound is valid for all points within
  /// `margin`, which rotate about the point and below the plane.
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
    // Coordinates and velocities have fewer than 32 rounding errors each.
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

/// One hull above a plane fixed in the other hull's body. n is in the axes of that body.
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
  /// Returns a slightly later time, so the pair is not in touch because of rounding.
  static double later(double time) { return time * (1 + 0x1p-20); }

  /// Returns, for a window from a time until at most `end`, the time at which all corners are
  /// beyond the distance, and the time until which each of them moves away or is beyond it.
  Away next(double time, double end) const {
    const MotionState state = over_.motion.state(time, end),
                      base = carrier_.motion.state(time, end);
    const double longest = longest_advance(norm(state.spin) + norm(base.spin));
    const double length = std::min(end - time, longest);
    const CarriedPlane plane(base.pose.rotation * n_, carrier_.body, base, length);
    Away all{0, end < 1 || longest < end - time ? length : infinity};
    for (const Vec3d& corner : (state.pose * over_.body).corner) {
      Rising p = plane.rising(corner, state, over_.body.radius);
      p.rate -= 4 * touch_.error;  // bounds the rounding of the motions' speeds (`MovingPair`)
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
