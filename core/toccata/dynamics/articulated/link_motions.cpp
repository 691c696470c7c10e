// Bounds of the paths of links by the speeds of all joints of their chains.
#include <algorithm>

#include "toccata/dynamics/articulated/link_tree.hpp"

namespace toccata {
namespace {

constexpr int most_windows = 16;

double angle_of(const Joint& joint, const double* q) {
  const double* numbers = q + joint.coordinate;
  if (joint.kind == JointKind::revolute) return std::abs(joint.factor * numbers[0]);
  return joint.kind == JointKind::planar ? std::abs(numbers[2]) : 0;
}

/// Returns the sums of a chain with further inactive joints. Without any, they keep their bits.
ChainSums carried(const ChainSums& sums, const HiddenJoints& hidden) {
  return hidden.count > 0 ? sums.carried(hidden.length, hidden.count) : sums;
}

}  // namespace

void LinkMotions::start(const LinkTree& tree, const double* q, const double* rates,
                        double duration) {
  tree_ = &tree;
  const std::size_t joints = tree.joints().size();
  if (known_ != tree.id()) {
    twists_.assign(joints, Twist({}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}));
    for (const LinkSite& site : tree.sites())
      twists_.emplace_back(site.offset, Vec3d{0, 0, 0}, Vec3d{0, 0, 0}, Vec3d{0, 0, 0});
    known_ = tree.id();
  }
  sums_.assign(1, {}), angles_.assign(1, 0), is_fixed_.assign(1, true);
  for (Index j = 0; j < static_cast<Index>(joints); ++j) {
    const Joint& joint = tree.joints()[j];
    const Twist& twist = twists_[j] = tree.twist(j, q, rates, duration);
    const std::size_t parent = joint.parent + 1;
    sums_.emplace_back(carried(sums_[parent], tree.hidden(j)), twist);
    angles_.push_back(angles_[parent] + angle_of(joint, q));
    is_fixed_.push_back(is_fixed_[parent] && twist.is_fixed());
  }
  follow_joints(0, 1, states_);
  refine();
}

void LinkMotions::follow_joints(double start, double half, std::vector<ChainState>& states) const {
  states.assign(1, {});
  for (std::size_t j = 0; j < tree_->joints().size(); ++j) {
    const std::size_t parent = tree_->joints()[j].parent + 1;
    states.push_back(follow(states[parent], twists_[j], twists_[j].pose(start), half));
  }
}

Motion LinkMotions::motion(Index i, std::size_t from) const {
  const std::span<const Index> chain = tree_->chain(i).subspan(from);
  return Motion(std::make_shared<const Chain>(twists_.data(), chain, tree_->links()[i].center));
}

Pose LinkMotions::pose(Index i, double t) const {
  return Chain(twists_.data(), tree_->chain(i), {0, 0, 0}).pose(t);
}

/// The center is the origin of the first joint that makes a full turn, since turns about it do not
/// move it. Links that the joint carries are within the length of the stretched chain.
std::optional<EnclosingBall> LinkMotions::ball(Index i, std::size_t from) const {
  const std::span<const Index> chain = tree_->chain(i);
  std::size_t k = from;
  while (k < chain.size() && !(twists_[chain[k]].spin_speed() > full_turn)) ++k;
  if (k == chain.size()) return {};
  std::vector<Twist> joints;
  for (std::size_t j = from; j < k; ++j) joints.push_back(twists_[chain[j]]);
  const Twist& turning = twists_[chain[k]];
  joints.emplace_back(Pose{identity3, turning.start()}, Vec3d{0, 0, 0}, turning.velocity(),
                      Vec3d{0, 0, 0});
  const LinkSite& site = tree_->links()[i];
  const ChainSums &whole = sums_[site.joint + 1], &carried = sums_[chain[k] + 1];
  const double reach = norm(site.offset * site.center) + site.radius;
  const double radius = whole.speed_bound(reach).far - carried.speed_bound(0).far;
  // The difference of two sums is rounded by far less than 2^-40 of the larger one.
  const double rounded = 0x1p-40 * whole.speed_bound(reach).far;
  const std::size_t carrier = tree_->joints()[chain[k]].parent + 1;
  return EnclosingBall{
      Motion(Chain::make(std::move(joints), Vec3d{0, 0, 0})),
      radius * beyond_rounding + rounded + rounding(carrier, {}, norm(turning.start()))};
}

/// Encloses the paths of points for `half` of the time from where `follow_joints` started, by the
/// Taylor polynomials of a chain's state.
LinkMotions::Drift LinkMotions::find_drift(Index i, const ChainState* states, double half) const {
  const double speed = bound(i).speed;
  if (speed == 0) return {};
  const LinkSite& site = tree_->sites()[i];
  const Twist& offset = twists_[tree_->joints().size() + static_cast<std::size_t>(i)];
  const ChainState at = follow(states[site.joint + 1], offset, site.offset, half);
  const MotionState s = motion_state(at, site.center, half);
  // The velocity is at most the sum of the speeds of all joints; it is rounded by far less than
  // 2^-40 of this sum.
  return {s.velocity, site.radius * norm(s.spin) + 0x1p-40 * speed,
          (s.acceleration + s.turning * site.radius) / 2};
}

LinkMotions::Drift LinkMotions::drift_in(Index i, int window) const {
  return find_drift(i, window_states_.data() + window * sums_.size(), 1.0 / windows_);
}

/// Bounds the displacement of points within `reach` of a frame's origin by rounded coordinates. The
/// sum of joint angles is rounded by 2^-53 of itself. A link moves by this angle times its distance
/// from the joint, and the error of a motion is at least 2^-46 of that distance. Rounded
/// translations are within the errors of motions.
///
/// When the active joints change, another product of the same poses places a link. Both products
/// have at most the roundings of the chain with all joints, each of them at most a quarter of its
/// error (`ChainSums::error`), so the link moves by at most half of that error.
double LinkMotions::rounding(std::size_t frame, const HiddenJoints& hidden, double reach) const {
  const double error = carried(sums_[frame], hidden).error(reach);
  return 0x1p-4 * (angles_[frame] + sums_[frame].turn()) * error +
         (tree_->is_reduced() ? error : 0);
}

LinkMotions::Bound LinkMotions::bound(Index i) const {
  const LinkSite& site = tree_->sites()[i];
  const std::size_t frame = site.joint + 1;
  const double far = norm(site.offset * site.center) + site.radius;
  Bound bound;
  bound.rounding = rounding(frame, site.hidden, far);
  bound.error = bound.rounding + carried(sums_[frame], site.hidden).error(far);
  if (!is_fixed_[frame]) bound.speed = sums_[frame].speed(far, {});
  return bound;
}

/// Shortens the windows until their bounds are close to the true motion of rigid groups: bounds of
/// accelerations add up along a chain.
void LinkMotions::refine() {
  windows_ = 1;
  window_states_.clear();
  const auto is_coarse = [&](const ChainState* states) {
    for (const LinkTree::Group& group : tree_->groups()) {
      const Index i = group.site;
      if (i < 0) continue;
      const Drift drift = find_drift(i, states, 1.0 / windows_);
      if (drift.bend / windows_ >
          (norm(drift.velocity) + drift.swing) / 2 + 0.01 * tree_->sites()[i].radius)
        return true;
    }
    return false;
  };
  bool any = is_coarse(states_.data());
  while (any && windows_ < most_windows) {
    windows_ *= 4;
    window_states_.clear();
    any = false;
    for (int w = 0; w < windows_; ++w) {
      follow_joints(static_cast<double>(w) / windows_, 1.0 / windows_, scratch_);
      any = any || is_coarse(scratch_.data());
      window_states_.insert(window_states_.end(), scratch_.begin(), scratch_.end());
    }
  }
}

double LinkMotions::travel(Index i, double t) const {
  const Bound bounds = bound(i);
  if (bounds.speed == 0) return 0;  // exact, without rounding
  const auto during = [](const Drift& d, double time) {
    return (norm(d.velocity) + d.swing + time * d.bend) * time;
  };
  double sum = windows_ == 1 ? infinity : 0;
  for (int w = 0; w < windows_ && windows_ > 1; ++w) {
    const double time = std::min(t - static_cast<double>(w) / windows_, 1.0 / windows_);
    if (!(time > 0)) break;
    sum += during(drift_in(i, w), time);
  }
  return std::min({during(whole_drift(i), t), sum, bounds.speed * t}) * beyond_rounding +
         2 * bounds.error;
}

double LinkMotions::relative_travel(const Mover& a, const Mover& b) {
  const Drift &p = a.drift, &q = b.drift;
  const double straight = norm(p.velocity - q.velocity) + p.swing + q.swing + p.bend + q.bend;
  return std::min(straight * beyond_rounding + 2 * (a.error + b.error),
                  (a.travel + b.travel) * beyond_rounding);
}

/// Seen from the last frame that carries both links, only joints beyond it change their distance.
/// Distances are the same in that frame and in the world.
double LinkMotions::relative_travel(Index i, Index j) const {
  const std::size_t shared = tree_->common_joints(i, j);
  const ChainSums& root = sums_[shared == 0 ? 0 : tree_->chain(i)[shared - 1] + 1];
  const auto seen = [&](Index k) {
    const LinkSite& site = tree_->links()[k];
    return sums_[site.joint + 1].speed(norm(site.offset * site.center) + site.radius, root);
  };
  double sum = windows_ == 1 ? infinity : 0;
  for (int w = 0; w < windows_ && windows_ > 1; ++w) {
    const Drift a = drift_in(i, w), b = drift_in(j, w);
    const double time = 1.0 / windows_;
    sum += (norm(a.velocity - b.velocity) + a.swing + b.swing + time * (a.bend + b.bend)) * time;
  }
  const double error = 2 * (bound(i).error + bound(j).error);
  return std::min(relative_travel(mover(i), mover(j)),
                  std::min(seen(i) + seen(j), sum) * beyond_rounding + error);
}

}  // namespace toccata
