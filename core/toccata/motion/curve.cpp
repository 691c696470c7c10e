// Rates of joints along polynomials, with bounds over a window.
#include "toccata/motion/curve.hpp"

namespace toccata {

Curve::Curve(const Twist& turn, const Polynomial<double>& angle, const Polynomial<Vec3d>& shift)
    : turn_(turn),
      angle_(angle),
      shift_(shift),
      spin_sum_(turn.spin_speed() * term_sum(angle, 1)),
      velocity_sum_(term_sum(shift, 1)) {
  const JointRates all = rates(0.5, 0.5);
  spin_speed_ = all.most_spin;
  speed_ = all.most_velocity;
}

Curve Curve::seen_from(const Pose& frame) const {
  Curve curve = *this;
  curve.turn_ = turn_.seen_from(frame);
  for (Vec3d& term : curve.shift_.term) term = frame.rotation * term;
  return curve;
}

Curve Curve::scaled(int exponent) const {
  Polynomial<Vec3d> shift;
  for (int k = 0; k < shift.count; ++k) shift.term[k] = toccata::scaled(shift_.term[k], exponent);
  return {turn_.scaled(exponent), angle_, shift};
}

double Curve::extent() const {
  double extent = turn_.extent();
  for (const Vec3d& term : shift_.term) extent = std::max(extent, largest(term));
  return extent;
}

Pose Curve::pose(double t) const {
  Pose pose = turn_.pose(angle_(t));
  pose.translation = pose.translation + shift_(t);
  return pose;
}

JointRates Curve::rates(double t, double half) const {
  JointRates rates;
  const Interval window{std::max(t - half, 0.0), std::min(t + half, 1.0)};
  if (spin_sum_ > 0) {
    const Polynomial<double> now = angle_.about(t);
    const DerivativeBounds most(angle_, window);
    const double unit = turn_.spin_speed() * (1 + 0x1p-40);
    rates.spin = turn_.spin() * now.term[1];
    rates.spin_rate = turn_.spin() * (2 * now.term[2]);
    rates.most_spin = unit * most[1];
    rates.most_spin_rate = unit * most[2];
    rates.spin_jerk = unit * most[3];
    rates.spin_sum = spin_sum_;
    rates.spin_rate_sum = unit * term_sum(angle_, 2);
  }
  if (velocity_sum_ > 0) {
    const Polynomial<Vec3d> now = shift_.about(t);
    const DerivativeBounds most(shift_, window);
    rates.velocity = now.term[1];
    rates.acceleration = now.term[2] * 2.0;
    rates.most_velocity = most[1];
    rates.most_acceleration = most[2];
    rates.jerk = most[3];
    rates.velocity_sum = velocity_sum_;
    rates.acceleration_sum = term_sum(shift_, 2);
  }
  return rates;
}

}  // namespace toccata
