// Poses of links, and bounds of their paths by the speeds of all joints of their chains.
#include "toccata/dynamics/articulated/link_tree.hpp"

#include <algorithm>

namespace toccata {
namespace {

// Far larger than rounding errors of sums of lengths and of the poses of a long chain.
constexpr double outward = 1 + 0x1p-30;
constexpr int most_windows = 16;

/// Velocity and spin of a joint's frame, in the axes of the frame at zero.
struct Rates {
  Vec3d velocity{0, 0, 0}, spin{0, 0, 0};
};

Rates joint_rates(const Joint& joint, const double* v) {
  const Vec3d &x = joint.axes.x, &y = joint.axes.y, &axis = joint.axes.z;
  switch (joint.kind) {
    case JointKind::revolute:
      return {{0, 0, 0}, axis * (joint.factor * v[0])};
    case JointKind::prismatic:
      return {axis * (joint.factor * v[0]), {0, 0, 0}};
    case JointKind::planar:
      return {(x * v[0] + y * v[1]) * joint.factor, axis * v[2]};
    case JointKind::floating:
      break;
  }
  return {Vec3d{v[0], v[1], v[2]} * joint.factor, {v[3], v[4], v[5]}};
}

double angle_of(const Joint& joint, const double* q) {
  const double* numbers = q + joint.coordinate;
  if (joint.kind == JointKind::revolute) return std::abs(joint.factor * numbers[0]);
  return joint.kind == JointKind::planar ? std::abs(numbers[2]) : 0;
}

}  // namespace

LinkTree::LinkTree(std::vector<Joint> joints, std::vector<LinkSite> links)
    : joints_(std::move(joints)), links_(std::move(links)), table_(joints_) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::vector<Index>& chain = chains_.emplace_back();
    for (Index j = links_[i].joint; j >= 0; j = joints_[j].parent) chain.push_back(j);
    std::reverse(chain.begin(), chain.end());
    chain.push_back(static_cast<Index>(joints_.size() + i));
  }
}

Twist LinkTree::twist(Index j, const double* q, const double* rates, double duration) const {
  const Joint& joint = joints_[j];
  const Rates r = joint_rates(joint, rates + table_.first[j]);
  const Mat3d& axes = joint.origin.rotation;
  return {joint.origin * joint_pose(joint, q),
          {0, 0, 0},
          axes * (r.velocity * duration),
          axes * (r.spin * duration)};
}

void LinkTree::advance(const double* q, const double* rates, double duration, double* end) const {
  std::copy(q, q + table_.coordinates, end);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (table_.leader[j] == static_cast<Index>(j))
      advance_joint(joints_[j], rates + table_.first[j], duration, end);
}

void LinkTree::frames(const double* q, const double* rates, std::vector<MovingFrame>& found) const {
  found.resize(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const MovingFrame above = joint.parent < 0 ? MovingFrame{} : found[joint.parent];
    const Pose zero = above.pose * joint.origin;
    const Rates r = joint_rates(joint, rates + table_.first[j]);
    const Pose pose = zero * joint_pose(joint, q);
    const Vec3d arm = pose.translation - above.pose.translation;
    found[j] = {pose, above.velocity + cross(above.spin, arm) + zero.rotation * r.velocity,
                above.spin + zero.rotation * r.spin};
  }
}

MovingFrame LinkTree::link(Index i, std::span<const MovingFrame> frames) const {
  const LinkSite& site = links_[i];
  const MovingFrame frame = site.joint < 0 ? MovingFrame{} : frames[site.joint];
  const Vec3d arm = frame.pose.rotation * (site.offset * site.center);
  return {frame.pose * site.offset, frame.velocity + cross(frame.spin, arm), frame.spin};
}

std::span<const Index> LinkTree::chain(Index i) const { return chains_[i]; }

std::size_t LinkTree::common_joints(Index i, Index j) const {
  const std::vector<Index>&a = chains_[i], &b = chains_[j];
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  return k;
}

void LinkMotions::start(const LinkTree& tree, const double* q, const double* rates,
                        double duration) {
  tree_ = &tree;
  twists_.clear(), sums_.assign(1, {}), angles_.assign(1, 0), is_fixed_.assign(1, true);
  for (Index j = 0; j < static_cast<Index>(tree.joints().size()); ++j) {
    const Joint& joint = tree.joints()[j];
    const Twist& twist = twists_.emplace_back(tree.twist(j, q, rates, duration));
    const std::size_t parent = joint.parent + 1;
    sums_.emplace_back(sums_[parent], twist);
    angles_.push_back(angles_[parent] + angle_of(joint, q));
    is_fixed_.push_back(is_fixed_[parent] && twist.is_fixed());
  }
  for (const LinkSite& site : tree.links())
    twists_.emplace_back(site.offset, Vec3d{0, 0, 0}, Vec3d{0, 0, 0}, Vec3d{0, 0, 0});
  follow_joints(0, 1);
  bounds_.clear();
  for (Index i = 0; i < static_cast<Index>(tree.links().size()); ++i)
    bounds_.push_back(find_bound(i));
  refine();
}

void LinkMotions::follow_joints(double start, double half) {
  states_.assign(1, {});
  for (std::size_t j = 0; j < tree_->joints().size(); ++j) {
    const std::size_t parent = tree_->joints()[j].parent + 1;
    states_.push_back(follow(states_[parent], twists_[j], twists_[j].pose(start), half));
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
  return EnclosingBall{Motion(Chain::make(std::move(joints), Vec3d{0, 0, 0})),
                       radius * outward + rounded + rounding(carrier, norm(turning.start()))};
}

/// Encloses the paths of points for `half` of the time from where `follow_joints` started, by the
/// Taylor polynomials of a chain's state.
LinkMotions::Drift LinkMotions::find_drift(Index i, double half) const {
  const LinkSite& site = tree_->links()[i];
  const Twist& offset = twists_[tree_->joints().size() + static_cast<std::size_t>(i)];
  const ChainState at = follow(states_[site.joint + 1], offset, site.offset, half);
  const MotionState s = motion_state(at, site.center, half);
  // The velocity is at most the sum of the speeds of all joints; it is rounded by far less than
  // 2^-40 of this sum.
  return {s.velocity, site.radius * norm(s.spin) + 0x1p-40 * bounds_[i].speed,
          (s.acceleration + s.turning * site.radius) / 2};
}

/// Bounds the displacement of points within `reach` of a frame's origin by rounded coordinates. The
/// sum of joint angles is rounded by 2^-53 of itself. A link moves by this angle times its distance
/// from the joint, and the error of a motion is at least 2^-46 of that distance. Rounded
/// translations are within the errors of motions.
double LinkMotions::rounding(std::size_t frame, double reach) const {
  return 0x1p-4 * (angles_[frame] + sums_[frame].turn()) * sums_[frame].error(reach);
}

LinkMotions::Bound LinkMotions::find_bound(Index i) const {
  const LinkSite& site = tree_->links()[i];
  const std::size_t frame = site.joint + 1;
  const double far = norm(site.offset * site.center) + site.radius;
  Bound bound;
  bound.rounding = rounding(frame, far);
  bound.error = bound.rounding + sums_[frame].error(far);
  if (is_fixed_[frame]) return bound;
  bound.speed = sums_[frame].speed(far, {});
  bound.turn = sums_[frame].turn();
  return bound;
}

/// Shortens the windows until their bounds are close to the true motion: bounds of accelerations
/// add up along a chain.
void LinkMotions::refine() {
  const std::size_t count = bounds_.size();
  windows_ = 1;
  for (std::size_t i = 0; i < count; ++i)
    if (bounds_[i].speed > 0) bounds_[i].drift = find_drift(static_cast<Index>(i), 1);
  const auto bends = [&](const Drift& drift, std::size_t i) {
    return drift.bend / windows_ >
           (norm(drift.velocity) + drift.swing) / 2 + 0.01 * tree_->links()[i].radius;
  };
  drifts_.clear();
  bool is_coarse = false;
  for (std::size_t i = 0; i < count; ++i) is_coarse |= bends(bounds_[i].drift, i);
  while (is_coarse && windows_ < most_windows) {
    windows_ *= 4;
    drifts_.clear();
    is_coarse = false;
    for (int w = 0; w < windows_; ++w) {
      follow_joints(static_cast<double>(w) / windows_, 1.0 / windows_);
      for (std::size_t i = 0; i < count; ++i) {
        const Drift drift = find_drift(static_cast<Index>(i), 1.0 / windows_);
        is_coarse |= bends(drift, i);
        drifts_.push_back(drift);
      }
    }
  }
}

double LinkMotions::travel(Index i, double t) const {
  const Bound& bound = bounds_[i];
  if (bound.speed == 0) return 0;  // exact, without rounding
  const auto during = [](const Drift& d, double time) {
    return (norm(d.velocity) + d.swing + time * d.bend) * time;
  };
  double sum = drifts_.empty() ? infinity : 0;
  for (int w = 0; w < windows_ && !drifts_.empty(); ++w) {
    const double time = std::min(t - static_cast<double>(w) / windows_, 1.0 / windows_);
    if (!(time > 0)) break;
    sum += during(drifts_[static_cast<std::size_t>(w) * bounds_.size() + i], time);
  }
  return std::min({during(bound.drift, t), sum, bound.speed * t}) * outward + 2 * bound.error;
}

double LinkMotions::relative_travel(const Mover& a, const Mover& b) {
  const Drift &p = a.drift, &q = b.drift;
  const double straight = norm(p.velocity - q.velocity) + p.swing + q.swing + p.bend + q.bend;
  return std::min(straight * outward + 2 * (a.error + b.error), (a.travel + b.travel) * outward);
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
  double sum = drifts_.empty() ? infinity : 0;
  for (std::size_t w = 0; w < drifts_.size(); w += bounds_.size()) {
    const Drift &a = drifts_[w + i], &b = drifts_[w + j];
    const double time = 1.0 / windows_;
    sum += (norm(a.velocity - b.velocity) + a.swing + b.swing + time * (a.bend + b.bend)) * time;
  }
  const double error = 2 * (bounds_[i].error + bounds_[j].error);
  return std::min(relative_travel(mover(i), mover(j)),
                  std::min(seen(i) + seen(j), sum) * outward + error);
}

}  // namespace toccata
