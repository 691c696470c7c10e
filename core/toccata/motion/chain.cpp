#include "toccata/motion/chain.hpp"

#include <algorithm>
#include <numeric>

namespace toccata {
namespace {

// Sums and products of positive numbers: far fewer than 2^12 roundings for any chain.
constexpr double up = 1 + 0x1p-40;

/// Bounds a vector that is `value` at the middle of the window and changes at most by `rate` per
/// time. `sum` bounds the terms that `value` was added up from, and so its rounding.
double bound(const Vec3d& value, double rate, double reach, double sum) {
  return std::min(sum, norm(value) + rate * reach + 0x1p-40 * sum) * up;
}

}  // namespace

ChainState follow(const ChainState& p, const Twist& joint, const Pose& local, double reach) {
  const Vec3d arm = p.pose.rotation * local.translation;
  const Vec3d w = p.pose.rotation * joint.spin(), v = p.pose.rotation * joint.velocity();
  const double rate = joint.spin_speed(), speed = norm(joint.velocity());
  ChainState c;
  c.pose = {p.pose.rotation * local.rotation, p.pose.translation + arm};
  const Vec3d swing = cross(p.spin, arm), turn = cross(p.spin, w);
  c.velocity = p.velocity + swing + v;
  c.spin = p.spin + w;
  c.turning = p.turning + turn;
  // The arm's own derivative is spin x arm + v, and that of v is spin x v.
  c.acceleration =
      p.acceleration + cross(p.turning, arm) + cross(p.spin, swing + v * 2.0);

  const double far = (norm(local.translation) + speed * reach) * up;
  c.spin_sum = p.spin_sum + rate;
  c.turning_sum = p.turning_sum + p.spin_sum * rate;
  c.acceleration_sum = p.acceleration_sum + (p.turning_sum + p.spin_sum * p.spin_sum) * far +
                       2 * p.spin_sum * speed;
  // The joint's axis stays in the parent's frame, in which the parent's spin changes at the rate of
  // its `turning`: |spin x w| grows at most by that times |w|.
  const double s = p.most_spin, a = p.most_turning;
  const double most_turn =
      std::min(s * rate, norm(turn) + a * rate * reach + 0x1p-40 * p.spin_sum * rate);
  c.turning_change = (p.turning_change + a * rate + s * most_turn) * up;
  c.most_turning = std::min((a + most_turn) * up,
                            bound(c.turning, c.turning_change, reach, c.turning_sum));
  c.most_spin = std::min((s + rate) * up, bound(c.spin, c.most_turning, reach, c.spin_sum));
  c.jerk = (p.jerk + (p.turning_change + 3 * a * s + s * s * s) * far + 3 * (a + s * s) * speed) * up;
  c.most_acceleration =
      std::min((p.most_acceleration + (a + s * s) * far + 2 * s * speed) * up,
               bound(c.acceleration, c.jerk, reach, c.acceleration_sum));
  return c;
}

MotionState motion_state(const ChainState& c, const Vec3d& pivot, double reach) {
  const Vec3d arm = c.pose.rotation * pivot, swing = cross(c.spin, arm);
  const double far = norm(pivot) * up, s = c.most_spin;
  MotionState state;
  state.pose = c.pose;
  state.pivot = pivot;
  state.velocity = c.velocity + swing;
  state.spin = c.spin;
  state.turning = (c.most_turning + s * s) * up;
  const double jerk = c.jerk + (c.turning_change + 3 * c.most_turning * s + s * s * s) * far;
  const double sum = c.acceleration_sum + (c.turning_sum + c.spin_sum * c.spin_sum) * far;
  state.acceleration =
      std::min((c.most_acceleration + state.turning * far) * up,
               bound(c.acceleration + cross(c.turning, arm) + cross(c.spin, swing), jerk, reach, sum));
  return state;
}

void ChainError::add(const Twist& joint) {
  length_ += norm(joint.pose(0).translation) + norm(joint.velocity());
  effort_ += 2 + joint.spin_speed();
}

double ChainError::operator()(double reach) const {
  // A joint turns what hangs on it, never longer than length + reach, with an error that
  // `Twist::error` bounds by 2^-48 (1 + rate) of that and of the joint's own path; putting it into
  // the parent's frame takes four more roundings. Four times as much also covers meshes whose
  // vertices were moved once into the frame of the joint they hang on, and exceeds 2^-48 of all
  // speeds, which are at most effort * (length + reach).
  return 0x1p-46 * effort_ * (length_ + reach);
}

Chain::Chain(const Twist* joints, std::span<const Index> path, const Vec3d& pivot)
    : joints_(joints), path_(path), pivot_(pivot) {
  for (const Index i : path_) {
    error_.add(joints_[i]);
    fixed_ = fixed_ && joints_[i].is_fixed();
  }
}

std::shared_ptr<const Chain> Chain::make(std::vector<Twist> joints, const Vec3d& pivot) {
  struct Owned {
    std::vector<Twist> joints;
    std::vector<Index> path;
    Chain chain;
    Owned(std::vector<Twist>&& twists, const Vec3d& point)
        : joints(std::move(twists)), path(joints.size()), chain(joints.data(), count(path), point) {}
    static std::span<const Index> count(std::vector<Index>& path) {
      std::iota(path.begin(), path.end(), 0);
      return path;
    }
  };
  const auto owned = std::make_shared<const Owned>(std::move(joints), pivot);
  return {owned, &owned->chain};
}

Pose Chain::pose(double t) const {
  Pose pose;
  for (const Index i : path_) {
    const Pose local = joints_[i].pose(t);
    pose = {pose.rotation * local.rotation, pose * local.translation};
  }
  return pose;
}

MotionState Chain::state(double t, double end) const {
  const double reach = std::max(end - t, 0.0);
  ChainState state;
  for (const Index i : path_) state = follow(state, joints_[i], joints_[i].pose(t), reach);
  return motion_state(state, pivot_, reach);
}

}  // namespace toccata
