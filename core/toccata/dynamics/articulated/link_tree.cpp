#include "toccata/dynamics/articulated/link_tree.hpp"

#include <algorithm>

namespace toccata {
namespace {

// Far more than what rounding does to a sum of lengths, and to poses of a long chain.
constexpr double up = 1 + 0x1p-30;
constexpr int most_windows = 16;

/// Velocity and spin of a joint's frame, in the axes of its place.
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
    std::vector<Index>& path = paths_.emplace_back();
    for (Index j = links_[i].joint; j >= 0; j = joints_[j].parent) path.push_back(j);
    std::reverse(path.begin(), path.end());
    path.push_back(static_cast<Index>(joints_.size() + i));
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
    const Pose place = above.pose * joint.origin;
    const Rates r = joint_rates(joint, rates + table_.first[j]);
    const Pose pose = place * joint_pose(joint, q);
    const Vec3d arm = pose.translation - above.pose.translation;
    found[j] = {pose, above.velocity + cross(above.spin, arm) + place.rotation * r.velocity,
                above.spin + place.rotation * r.spin};
  }
}

MovingFrame LinkTree::link(Index i, std::span<const MovingFrame> frames) const {
  const LinkSite& site = links_[i];
  const MovingFrame frame = site.joint < 0 ? MovingFrame{} : frames[site.joint];
  const Vec3d arm = frame.pose.rotation * (site.place * site.center);
  return {frame.pose * site.place, frame.velocity + cross(frame.spin, arm), frame.spin};
}

std::span<const Index> LinkTree::path(Index i) const { return paths_[i]; }

std::size_t LinkTree::common(Index i, Index j) const {
  const std::vector<Index>&a = paths_[i], &b = paths_[j];
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  return k;
}

void LinkMotions::start(const LinkTree& tree, const double* q, const double* rates,
                        double duration) {
  tree_ = &tree;
  twists_.clear(), sums_.assign(1, {}), angles_.assign(1, 0), stays_.assign(1, true);
  for (Index j = 0; j < static_cast<Index>(tree.joints().size()); ++j) {
    const Joint& joint = tree.joints()[j];
    const Twist& twist = twists_.emplace_back(tree.twist(j, q, rates, duration));
    const std::size_t parent = joint.parent + 1;
    sums_.emplace_back(sums_[parent], twist);
    angles_.push_back(angles_[parent] + angle_of(joint, q));
    stays_.push_back(stays_[parent] && twist.is_fixed());
  }
  for (const LinkSite& site : tree.links())
    twists_.emplace_back(site.place, Vec3d{0, 0, 0}, Vec3d{0, 0, 0}, Vec3d{0, 0, 0});
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
  const std::span<const Index> path = tree_->path(i).subspan(from);
  return Motion(std::make_shared<const Chain>(twists_.data(), path, tree_->links()[i].center));
}

Pose LinkMotions::pose(Index i, double t) const {
  return Chain(twists_.data(), tree_->path(i), {0, 0, 0}).pose(t);
}

/// The center is the origin of the first joint that makes a full turn: turns about it do not move
/// it. Links that hang on it are no farther from it than the stretched chain is long.
std::optional<EnclosingBall> LinkMotions::ball(Index i, std::size_t from) const {
  const std::span<const Index> path = tree_->path(i);
  std::size_t k = from;
  while (k < path.size() && !(twists_[path[k]].spin_speed() > full_turn)) ++k;
  if (k == path.size()) return {};
  std::vector<Twist> joints;
  for (std::size_t j = from; j < k; ++j) joints.push_back(twists_[path[j]]);
  const Twist& turning = twists_[path[k]];
  joints.emplace_back(Pose{identity3, turning.start()}, Vec3d{0, 0, 0}, turning.velocity(),
                      Vec3d{0, 0, 0});
  const LinkSite& site = tree_->links()[i];
  const ChainSums &whole = sums_[site.joint + 1], &carried = sums_[path[k] + 1];
  const double reach = norm(site.place * site.center) + site.radius;
  const double radius = whole.speed_bound(reach).far - carried.speed_bound(0).far;
  // The difference of two sums is rounded by far less than 2^-40 of the larger one.
  const double rounded = 0x1p-40 * whole.speed_bound(reach).far;
  const std::size_t carrier = tree_->joints()[path[k]].parent + 1;
  return EnclosingBall{Motion(Chain::make(std::move(joints), Vec3d{0, 0, 0})),
                       radius * up + rounded + rounding(carrier, norm(turning.start()))};
}

/// The state of a chain encloses the paths of points by Taylor polynomials, for `half` of time from
/// where joints were followed.
LinkMotions::Drift LinkMotions::find_drift(Index i, double half) const {
  const LinkSite& site = tree_->links()[i];
  const Twist& place = twists_[tree_->joints().size() + static_cast<std::size_t>(i)];
  const ChainState at = follow(states_[site.joint + 1], place, site.place, half);
  const MotionState s = motion_state(at, site.center, half);
  // The speeds of all joints add up to no more: velocities are rounded by far less than 2^-40 of
  // that.
  return {s.velocity, site.radius * norm(s.spin) + 0x1p-40 * bounds_[i].speed,
          (s.acceleration + s.turning * site.radius) / 2};
}

/// Bounds how far points within `reach` of the origin of a frame are displaced by rounded numbers
/// of configurations. The angles of joints are rounded when they are added up, by 2^-53 of them: a
/// link moves by that times its distance from the joint, and an error is 2^-46 of that distance or
/// more. Shifts are lengths, of which errors know.
double LinkMotions::rounding(std::size_t frame, double reach) const {
  return 0x1p-4 * (angles_[frame] + sums_[frame].turn()) * sums_[frame].error(reach);
}

LinkMotions::Bound LinkMotions::find_bound(Index i) const {
  const LinkSite& site = tree_->links()[i];
  const std::size_t frame = site.joint + 1;
  const double far = norm(site.place * site.center) + site.radius;
  Bound bound;
  bound.rounding = rounding(frame, far);
  bound.error = bound.rounding + sums_[frame].error(far);
  if (stays_[frame]) return bound;
  bound.speed = sums_[frame].speed(far, {});
  bound.turn = sums_[frame].turn();
  return bound;
}

/// Bounds of accelerations add up along a chain. Over shorter windows they are those of what links
/// really do.
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

double LinkMotions::way(Index i, double t) const {
  const Bound& bound = bounds_[i];
  if (bound.speed == 0) return 0;  // not even rounding moves it
  const auto during = [](const Drift& d, double time) {
    return (norm(d.velocity) + d.swing + time * d.bend) * time;
  };
  double sum = drifts_.empty() ? infinity : 0;
  for (int w = 0; w < windows_ && !drifts_.empty(); ++w) {
    const double time = std::min(t - static_cast<double>(w) / windows_, 1.0 / windows_);
    if (!(time > 0)) break;
    sum += during(drifts_[static_cast<std::size_t>(w) * bounds_.size() + i], time);
  }
  return std::min({during(bound.drift, t), sum, bound.speed * t}) * up + 2 * bound.error;
}

double LinkMotions::relative_way(const Mover& a, const Mover& b) {
  const Drift &p = a.drift, &q = b.drift;
  const double straight = norm(p.velocity - q.velocity) + p.swing + q.swing + p.bend + q.bend;
  return std::min(straight * up + 2 * (a.error + b.error), (a.way + b.way) * up);
}

/// Points that are carried together move apart by what joints do that do not carry both: seen from
/// the last frame that carries both, which sees all distances as the world does.
double LinkMotions::relative_way(Index i, Index j) const {
  const std::size_t shared = tree_->common(i, j);
  const ChainSums& root = sums_[shared == 0 ? 0 : tree_->path(i)[shared - 1] + 1];
  const auto seen = [&](Index k) {
    const LinkSite& site = tree_->links()[k];
    return sums_[site.joint + 1].speed(norm(site.place * site.center) + site.radius, root);
  };
  double sum = drifts_.empty() ? infinity : 0;
  for (std::size_t w = 0; w < drifts_.size(); w += bounds_.size()) {
    const Drift &a = drifts_[w + i], &b = drifts_[w + j];
    const double time = 1.0 / windows_;
    sum += (norm(a.velocity - b.velocity) + a.swing + b.swing + time * (a.bend + b.bend)) * time;
  }
  const double error = 2 * (bounds_[i].error + bounds_[j].error);
  return std::min(relative_way(mover(i), mover(j)), std::min(seen(i) + seen(j), sum) * up + error);
}

}  // namespace toccata
