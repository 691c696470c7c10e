// Forward kinematics of chains with bounds on velocities, accelerations and jerks.
#include "toccata/motion/chain.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace toccata {
namespace {

// Rounding factor for sums and products of positive numbers: any chain has far fewer than 2^12
// roundings.
constexpr double up = 1 + 0x1p-40;

/// Bounds the length of a vector that is `value` at the middle of the window and changes by at most
/// `rate` per unit of time. `sum` bounds the terms that add up to `value`, and thereby its
/// rounding.
double bound(const Vec3d& value, double rate, double half, double sum) {
  return std::min(sum, norm(value) + rate * half + 0x1p-40 * sum) * up;
}

/// Implements `follow`. A steady joint has constant rates, so the terms with their derivatives are
/// left out.
template <bool steady>
[[gnu::always_inline]] inline ChainState followed(const ChainState& p, const JointRates& j,
                                                  const Pose& local, double half) {
  const Vec3d arm = p.pose.rotation * local.translation;
  const Vec3d w = p.pose.rotation * j.spin, v = p.pose.rotation * j.velocity;
  const double rate = j.most_spin, speed = j.most_velocity;
  ChainState c;
  c.pose = {p.pose.rotation * local.rotation, p.pose.translation + arm};
  const Vec3d swing = cross(p.spin, arm), turn = cross(p.spin, w);
  c.velocity = p.velocity + swing + v;
  c.spin = p.spin + w;
  c.spin_rate = p.spin_rate + turn;
  // The derivative of the arm is spin x arm + v, and the derivative of v is spin x v.
  c.acceleration = p.acceleration + cross(p.spin_rate, arm) + cross(p.spin, swing + v * 2.0);

  const double far = (norm(local.translation) + speed * half) * up;
  c.spin_sum = p.spin_sum + j.spin_sum;
  c.spin_rate_sum = p.spin_rate_sum + p.spin_sum * j.spin_sum;
  c.acceleration_sum = p.acceleration_sum + (p.spin_rate_sum + p.spin_sum * p.spin_sum) * far +
                       2 * p.spin_sum * j.velocity_sum;
  // The joint's axis is fixed in the parent's frame, and the parent's spin changes with
  // `spin_rate`. Therefore |spin x w| grows at most by |spin_rate| |w| plus |spin| times the change
  // of w.
  const double s = p.most_spin, a = p.most_spin_rate;
  double turn_change = a * rate;
  if constexpr (!steady) turn_change += s * j.most_spin_rate;
  const double most_turn =
      std::min(s * rate, norm(turn) + turn_change * half + 0x1p-40 * p.spin_sum * j.spin_sum);
  double own_spin_rate = most_turn, own_change = a * rate + s * most_turn;
  double own_acceleration = 2 * s * speed, own_jerk = 3 * (a + s * s) * speed;
  if constexpr (!steady) {
    c.spin_rate = c.spin_rate + p.pose.rotation * j.spin_rate;
    c.acceleration = c.acceleration + p.pose.rotation * j.acceleration;
    c.spin_rate_sum += j.spin_rate_sum;
    c.acceleration_sum += j.acceleration_sum;
    own_spin_rate += j.most_spin_rate;
    own_change += 2 * s * j.most_spin_rate + j.spin_jerk;
    own_acceleration += j.most_acceleration;
    own_jerk += 3 * s * j.most_acceleration + j.jerk;
  }
  c.spin_jerk = (p.spin_jerk + own_change) * up;
  c.most_spin_rate =
      std::min((a + own_spin_rate) * up, bound(c.spin_rate, c.spin_jerk, half, c.spin_rate_sum));
  c.most_spin = std::min((s + rate) * up, bound(c.spin, c.most_spin_rate, half, c.spin_sum));
  c.jerk = (p.jerk + (p.spin_jerk + 3 * a * s + s * s * s) * far + own_jerk) * up;
  c.most_acceleration = std::min((p.most_acceleration + (a + s * s) * far + own_acceleration) * up,
                                 bound(c.acceleration, c.jerk, half, c.acceleration_sum));
  return c;
}

}  // namespace

ChainState follow(const ChainState& parent, const Twist& joint, const Pose& local, double half) {
  JointRates rates;
  rates.spin = joint.spin();
  rates.velocity = joint.velocity();
  rates.most_spin = rates.spin_sum = joint.spin_speed();
  rates.most_velocity = rates.velocity_sum = norm(joint.velocity());
  return followed<true>(parent, rates, local, half);
}

ChainState follow(const ChainState& parent, const JointRates& joint, const Pose& local,
                  double half) {
  return followed<false>(parent, joint, local, half);
}

/// Treats `child` as one joint: the bounds in `followed` are valid for any motion.
ChainState follow(const ChainState& parent, const ChainState& child, double most_velocity,
                  double half) {
  JointRates rates;
  rates.spin = child.spin, rates.spin_rate = child.spin_rate;
  rates.velocity = child.velocity, rates.acceleration = child.acceleration;
  rates.most_spin = child.most_spin, rates.most_spin_rate = child.most_spin_rate;
  rates.spin_jerk = child.spin_jerk;
  rates.most_velocity =
      std::min(most_velocity, bound(child.velocity, child.most_acceleration, half, most_velocity));
  rates.most_acceleration = child.most_acceleration, rates.jerk = child.jerk;
  rates.spin_sum = child.spin_sum, rates.spin_rate_sum = child.spin_rate_sum;
  rates.velocity_sum = most_velocity, rates.acceleration_sum = child.acceleration_sum;
  return followed<false>(parent, rates, child.pose, half);
}

MotionState motion_state(const ChainState& c, const Vec3d& pivot, double half) {
  const Vec3d arm = c.pose.rotation * pivot, swing = cross(c.spin, arm);
  const double far = norm(pivot) * up, s = c.most_spin;
  MotionState state;
  state.pose = c.pose;
  state.pivot = pivot;
  state.velocity = c.velocity + swing;
  state.spin = c.spin;
  state.turning = (c.most_spin_rate + s * s) * up;
  const double jerk = c.jerk + (c.spin_jerk + 3 * c.most_spin_rate * s + s * s * s) * far;
  const double sum = c.acceleration_sum + (c.spin_rate_sum + c.spin_sum * c.spin_sum) * far;
  state.acceleration = std::min(
      (c.most_acceleration + state.turning * far) * up,
      bound(c.acceleration + cross(c.spin_rate, arm) + cross(c.spin, swing), jerk, half, sum));
  return state;
}

ChainSums::ChainSums(const ChainSums& chain, const Twist& joint) {
  const double speed = norm(joint.velocity()), turn = joint.spin_speed();
  length_ = chain.length_ + norm(joint.start()) + speed;
  effort_ = chain.effort_ + 2 + turn;
  turn_ = chain.turn_ + turn;
  deduction_ = chain.deduction_ + turn * length_ - speed;
}

ChainSums::ChainSums(const ChainSums& chain, const Curve& joint)
    : length_(chain.length_ + norm(joint.pose(0).translation) + joint.velocity_sum()),
      effort_(chain.effort_ + 2 + joint.spin_sum()),
      turn_(chain.turn_ + joint.spin_speed()),
      deduction_(chain.deduction_ + joint.spin_speed() * length_ - joint.speed()) {}

double ChainSums::error(double reach) const {
  // A joint rotates the rest of the chain, which is at most length + reach long. By `Twist::error`,
  // the error is at most 2^-48 (1 + rate) times that length and the joint's own path. The
  // transformation to the parent's frame takes four more roundings. The factor of four also covers
  // meshes whose vertices were moved once into the frame of their joint, and the bound exceeds
  // 2^-48 of all speeds, which are at most effort * (length + reach). A polynomial takes ten
  // roundings of 2^-53 of its terms, which its rate bounds.
  return 0x1p-46 * effort_ * (length_ + reach);
}

Chain::Chain(const Twist* joints, std::span<const Index> path, const Vec3d& pivot)
    : joints_(joints), path_(path), pivot_(pivot) {
  add_up(joints);
}

Chain::Chain(const Curve* joints, std::span<const Index> path, const Vec3d& pivot)
    : curves_(joints), path_(path), pivot_(pivot) {
  add_up(joints);
}

template <class Joint>
void Chain::add_up(const Joint* joints) {
  for (const Index i : path_) {
    sums_ = ChainSums(sums_, joints[i]);
    fixed_ = fixed_ && joints[i].is_fixed();
  }
}

template <class Joint>
std::shared_ptr<const Chain> Chain::make(std::vector<Joint> joints, const Vec3d& pivot) {
  struct Owned {
    std::vector<Joint> joints;
    std::vector<Index> path;
    Chain chain;
    Owned(std::vector<Joint>&& motions, const Vec3d& point)
        : joints(std::move(motions)),
          path(joints.size()),
          chain(joints.data(), count(path), point) {}
    static std::span<const Index> count(std::vector<Index>& path) {
      std::iota(path.begin(), path.end(), 0);
      return path;
    }
  };
  const auto owned = std::make_shared<const Owned>(std::move(joints), pivot);
  return {owned, &owned->chain};
}
template std::shared_ptr<const Chain> Chain::make(std::vector<Twist>, const Vec3d&);
template std::shared_ptr<const Chain> Chain::make(std::vector<Curve>, const Vec3d&);

std::shared_ptr<const Chain> Chain::scaled(int exponent) const {
  const auto copy = [&](const auto* table) {
    std::vector<std::remove_cvref_t<decltype(*table)>> joints;
    for (const Index i : path_) joints.push_back(table[i].scaled(exponent));
    return make(std::move(joints), toccata::scaled(pivot_, exponent));
  };
  return curves_ ? copy(curves_) : copy(joints_);
}

double Chain::extent() const {
  double extent = largest(pivot_);
  for (const Index i : path_)
    extent = std::max(extent, curves_ ? curves_[i].extent() : joints_[i].extent());
  return extent;
}

Pose Chain::pose(double t) const {
  Pose pose;
  for (const Index i : path_) {
    pose = pose * (curves_ ? curves_[i].pose(t) : joints_[i].pose(t));
  }
  return pose;
}

MotionState Chain::state(double t, double end) const {
  const double half = std::max(end - t, 0.0);
  ChainState state;
  for (const Index i : path_)
    state = curves_ ? follow(state, curves_[i].rates(t, half), curves_[i].pose(t), half)
                    : follow(state, joints_[i], joints_[i].pose(t), half);
  return motion_state(state, pivot_, half);
}

}  // namespace toccata
