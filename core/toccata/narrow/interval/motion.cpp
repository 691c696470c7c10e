// Taylor expansion of the relative motion of two bodies.
#include "toccata/narrow/interval/motion.hpp"

#include <cmath>

namespace toccata {
namespace {

/// Bounds the second derivative of a body's rotation R: R'' = ([w']x + [w]x^2) R has a norm of at
/// most |w'| + |w|^2. This is `turning` for a varying spin w, and spin_speed^2 for a constant one.
double second_turn(const MotionState& bounds) {
  return (bounds.turning + bounds.spin_speed * bounds.spin_speed) * (1 + 0x1p-40);
}

}  // namespace

RelativeTaylor<double> relative_taylor(const BodyWindow& x, const BodyWindow& y) {
  constexpr double up = 1 + 0x1p-40;
  const MotionState &sx = x.state, &sy = y.state;
  const auto seen = [&](const Vec3d& v) { return transposed_times(sx.pose.rotation, v); };
  RelativeTaylor<double> m;
  m.rotation = transposed_times(sx.pose.rotation, sy.pose.rotation);
  m.offset = seen(sy.pose * y.center - sx.pose * x.center);
  m.pivot_x = sx.pivot - x.center;
  m.pivot_y = m.offset + m.rotation * (sy.pivot - y.center);
  m.slide = seen(sy.velocity - sx.velocity);
  m.spin_y = seen(sy.spin);
  const Vec3d spin_x = seen(sx.spin);
  m.spin = m.spin_y - spin_x;
  // The velocity of a point at P is slide + spin_y x (P - pivot_y) - spin_x x (P - pivot_x).
  m.drift = m.slide - cross(m.spin_y, m.pivot_y) + cross(spin_x, m.pivot_x);
  m.acceleration = (x.bounds.acceleration + y.bounds.acceleration) * up;
  m.turning_y = y.bounds.turning * up;
  m.spin_speed_y = y.bounds.spin_speed * up;
  // |R'| = |w| <= sqrt(|w|^2 + |w'|).
  m.turn2_x = second_turn(x.bounds);
  m.turn_x = std::sqrt(m.turn2_x) * up;
  const double turn2_y = second_turn(y.bounds), turn_y = std::sqrt(turn2_y) * up;
  m.turn = (m.turn_x + turn_y) * up;
  m.turn2 = (m.turn2_x + 2 * m.turn_x * turn_y + turn2_y) * up;
  return m;
}

RelativeTaylor<float> to_float(const RelativeTaylor<double>& m) {
  const auto up = [](double x) { return static_cast<float>(x) * (1 + 0x1p-20f); };
  return {to_float(m.rotation), to_float(m.offset), to_float(m.drift),   to_float(m.spin),
          up(m.turn),           up(m.turn2),        to_float(m.pivot_x), to_float(m.pivot_y),
          to_float(m.spin_y),   to_float(m.slide),  up(m.acceleration),  up(m.turning_y),
          up(m.spin_speed_y),   up(m.turn_x),       up(m.turn2_x)};
}

}  // namespace toccata
