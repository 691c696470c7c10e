// Motions at constant rates, evaluated without cancellation for small angles.
#include "toccata/motion/twist.hpp"

namespace toccata {
namespace {

Mat3d sum(const Mat3d& a, const Mat3d& b, double s) {
  return {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

Mat3d mixed(const Mat3d& a, double s, const Mat3d& b, double t) {
  return {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}

double arc_acceleration(double rate, const Vec3d& arc) {
  return rate * rate * norm(arc) * (1 + 0x1p-40);
}

}  // namespace

Twist::Twist(const Pose& start, const Vec3d& pivot, const Vec3d& velocity, const Vec3d& spin)
    : pivot_(pivot),
      start_(start * pivot),
      velocity_(velocity),
      arc_sine_{0, 0, 0},
      arc_cosine_{0, 0, 0},
      spin_(spin),
      rate_(norm(spin)) {
  const Vec3d axis = rate_ > 0 ? spin * (1 / rate_) : Vec3d{0, 0, 1};
  const Mat3d& r = start.rotation;
  along_ = {axis * dot(axis, r.x), axis * dot(axis, r.y), axis * dot(axis, r.z)};
  across_ = sum(r, along_, -1);
  quarter_ = {cross(axis, r.x), cross(axis, r.y), cross(axis, r.z)};
  fixed_ = rate_ == 0 && largest(velocity) == 0;
}

Twist::Twist(const Twist& turn, double angle, double change)
    : Twist(turn, Turn{std::sin(angle), std::cos(angle)}, change) {}

Twist::Twist(const Twist& turn, Turn start, double change)
    : pivot_(turn.pivot_),
      start_(turn.start_),
      velocity_{0, 0, 0},
      arc_sine_{0, 0, 0},
      arc_cosine_{0, 0, 0},
      spin_(turn.spin_ * change),
      rate_(std::abs(change)),
      along_(turn.along_),
      across_(mixed(turn.across_, start.cosine, turn.quarter_, start.sine)),
      fixed_(change == 0) {
  // The axis points along the spin.
  const double sign = change < 0 ? -1 : 1;
  quarter_ = mixed(turn.quarter_, sign * start.cosine, turn.across_, -sign * start.sine);
}

Twist Twist::linear(const Pose& start, const Pose& end, const Vec3d& pivot) {
  return {start, pivot, end * pivot - start * pivot,
          rotation_between(start.rotation, end.rotation)};
}

Twist Twist::screw(const Pose& start, const Pose& end) {
  const Vec3d spin = rotation_between(start.rotation, end.rotation);
  const Vec3d travel = end.translation - start.translation;
  const double angle = norm(spin);
  // Below this angle the arc is straight to the last bit, and its radius would overflow.
  if (angle < 1e-150) return {start, {0, 0, 0}, travel, spin};
  const Vec3d axis = spin * (1 / angle);
  const Vec3d along = axis * dot(axis, travel), across = travel - along;
  Twist twist{start, {0, 0, 0}, along, spin};
  // The pivot moves on the circle through its two ends that subtends `angle`. With the cotangent of
  // the half angle, sine * u + (1 - cosine) * axis x u equals `across` at t = 1. The factors are
  // kept as products of small and large numbers, so nearly straight screws lose no digits.
  twist.arc_sine_ = (across * (1 / std::tan(angle / 2)) - cross(axis, across)) * 0.5;
  twist.arc_cosine_ = cross(axis, twist.arc_sine_);
  twist.acceleration_ = arc_acceleration(angle, twist.arc_sine_);
  return twist;
}

Twist::Turn Twist::turn(double t) const {
  if (rate_ == 0) return {0, 1};
  return {std::sin(rate_ * t), std::cos(rate_ * t)};
}

Pose Twist::pose(double t) const { return pose(t, turn(t)); }

Pose Twist::pose(double t, Turn turn) const {
  Pose pose;
  pose.rotation = sum(sum(along_, across_, turn.cosine), quarter_, turn.sine);
  // 1 - cosine cancels for small angles. Twice the squared sine of the half angle does not.
  const double half = turn.cosine > 0 ? turn.sine * turn.sine / (1 + turn.cosine) : 1 - turn.cosine;
  pose.translation = start_ + velocity_ * t + arc_sine_ * turn.sine + arc_cosine_ * half -
                     pose.rotation * pivot_;
  return pose;
}

MotionState Twist::state(double t) const {
  const Turn now = turn(t);
  MotionState state;
  state.pose = pose(t, now);
  state.pivot = pivot_;
  state.velocity = velocity_ + (arc_sine_ * now.cosine + arc_cosine_ * now.sine) * rate_;
  state.spin = spin_;
  state.acceleration = acceleration_;
  state.spin_speed = rate_;
  return state;
}

IntervalPose Twist::enclosure(Interval time) const {
  const Interval angle = time * rate_, cosine = cos(angle), sine = sin(angle);
  const auto column = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return to_interval(a) + to_interval(b) * cosine + to_interval(c) * sine;
  };
  IntervalPose pose;
  pose.rotation = {column(along_.x, across_.x, quarter_.x), column(along_.y, across_.y, quarter_.y),
                   column(along_.z, across_.z, quarter_.z)};
  pose.translation = to_interval(start_) + to_interval(velocity_) * time -
                     pose.rotation * to_interval(pivot_);
  return pose;
}

Twist Twist::seen_from(const Pose& frame) const {
  const Mat3d& r = frame.rotation;
  Twist twist = *this;
  twist.start_ = frame * start_;
  for (Vec3d Twist::* const vector :
       {&Twist::velocity_, &Twist::arc_sine_, &Twist::arc_cosine_, &Twist::spin_})
    twist.*vector = r * (this->*vector);
  for (Mat3d Twist::* const matrix : {&Twist::along_, &Twist::across_, &Twist::quarter_})
    twist.*matrix = r * (this->*matrix);
  return twist;
}

Twist Twist::scaled(int exponent) const {
  Twist twist = *this;
  for (Vec3d Twist::* const length :
       {&Twist::pivot_, &Twist::start_, &Twist::velocity_, &Twist::arc_sine_, &Twist::arc_cosine_})
    twist.*length = toccata::scaled(this->*length, exponent);
  // Squares may have underflowed.
  twist.acceleration_ = arc_acceleration(rate_, twist.arc_sine_);
  return twist;
}

double Twist::extent() const {
  // Nearly straight arcs have large radii. Their displacement is bounded instead.
  return std::max({largest(pivot_), largest(start_), largest(velocity_),
                   largest(arc_sine_) * std::min(rate_, 1.0)});
}

double Twist::error(double reach) const {
  // A rotated coordinate is the sum of 3 products with a rotation entry, which has 6 roundings and
  // a sine or cosine within 2 ulp. With two sums, there are at most 24 roundings of the lever and 6
  // of the path, each 2^-53 of its term. The rounding of the angle rate * t adds rate * 2^-53 of
  // the lever.
  const double lever = reach + norm(pivot_);
  const double path = norm(velocity_) + rate_ * norm(arc_sine_);
  return 0x1p-48 * (norm(start_) + path + (1 + rate_) * lever);
}

}  // namespace toccata
