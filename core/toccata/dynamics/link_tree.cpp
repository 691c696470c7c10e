#include "toccata/dynamics/link_tree.hpp"

#include <algorithm>

namespace toccata {
namespace {

// Far more than what rounding does to a sum of lengths, and to poses of a long chain.
constexpr double up = 1 + 0x1p-30;

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
  const Pose start = joint_motion(joint, q, q).pose(0);
  const Rates r = joint_rates(joint, rates + table_.first[j]);
  const Mat3d& axes = joint.place.rotation;
  return {start, {0, 0, 0}, axes * (r.velocity * duration), axes * (r.spin * duration)};
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
    const Index parent = joints_[j].parent;
    const MovingFrame above = parent < 0 ? MovingFrame{} : found[parent];
    const Twist own = twist(static_cast<Index>(j), q, rates, 1);
    const Pose local = own.pose(0);
    const Vec3d arm = above.pose.rotation * local.translation;
    found[j] = {above.pose * local,
                above.velocity + cross(above.spin, arm) + above.pose.rotation * own.velocity(),
                above.spin + above.pose.rotation * own.spin()};
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
  twists_.clear(), sums_.assign(1, {}), states_.assign(1, {}), bounds_.clear();
  angles_.assign(1, 0), stays_.assign(1, true);
  for (Index j = 0; j < static_cast<Index>(tree.joints().size()); ++j) {
    const Joint& joint = tree.joints()[j];
    const Twist& twist = twists_.emplace_back(tree.twist(j, q, rates, duration));
    const std::size_t parent = joint.parent + 1;
    sums_.emplace_back(sums_[parent], twist);
    states_.push_back(follow(states_[parent], twist, twist.pose(0), 1));
    angles_.push_back(angles_[parent] + angle_of(joint, q));
    stays_.push_back(stays_[parent] && twist.is_fixed());
  }
  for (const LinkSite& site : tree.links())
    twists_.emplace_back(site.place, Vec3d{0, 0, 0}, Vec3d{0, 0, 0}, Vec3d{0, 0, 0});
  for (Index i = 0; i < static_cast<Index>(tree.links().size()); ++i)
    bounds_.push_back(find_bound(i));
}

Motion LinkMotions::motion(Index i, std::size_t from) const {
  const std::span<const Index> path = tree_->path(i).subspan(from);
  return Motion(std::make_shared<const Chain>(twists_.data(), path, tree_->links()[i].center));
}

Pose LinkMotions::pose(Index i, double t) const {
  return Chain(twists_.data(), tree_->path(i), {0, 0, 0}).pose(t);
}

/// The state of a chain encloses the paths of points by Taylor polynomials, until the end of the
/// motion. The angles of joints are rounded when they are added up, by 2^-53 of them: a link moves
/// by that times its distance from the joint, and an error is 2^-46 of that distance or more.
/// Shifts are lengths, of which errors know.
LinkMotions::Bound LinkMotions::find_bound(Index i) const {
  const LinkSite& site = tree_->links()[i];
  const std::size_t frame = site.joint + 1;
  const ChainSums& sums = sums_[frame];
  const double far = norm(site.place * site.center) + site.radius, error = sums.error(far);
  Bound bound;
  bound.rounding = 0x1p-4 * (angles_[frame] + sums.turn()) * error;
  bound.error = bound.rounding + error;
  if (stays_[frame]) return bound;
  bound.speed = sums.speed(far, {});
  bound.turn = sums.turn();
  const Twist& place = twists_[tree_->joints().size() + static_cast<std::size_t>(i)];
  const MotionState s = motion_state(follow(states_[frame], place, site.place, 1), site.center, 1);
  bound.velocity = s.velocity;
  // The speeds of all joints add up to no more: velocities are rounded by far less than 2^-40 of
  // that.
  bound.swing = site.radius * norm(s.spin) + 0x1p-40 * bound.speed;
  bound.bend = (s.acceleration + s.turning * site.radius) / 2;
  return bound;
}

double LinkMotions::Bound::way(double t) const {
  if (speed == 0) return 0;  // not even rounding moves it
  return std::min((norm(velocity) + swing + t * bend) * t, speed * t) * up + 2 * error;
}

double LinkMotions::relative_way(const Bound& a, const Bound& b, double t) {
  const double straight = norm(a.velocity - b.velocity) + a.swing + b.swing;
  return std::min(straight + t * (a.bend + b.bend), a.speed + b.speed) * t * up +
         2 * (a.error + b.error);
}

/// Points that are carried together move apart by what joints do that do not carry both: seen from
/// the last frame that carries both, which sees all distances as the world does.
double LinkMotions::relative_way(Index i, Index j, double t) const {
  const std::size_t shared = tree_->common(i, j);
  const ChainSums& root = sums_[shared == 0 ? 0 : tree_->path(i)[shared - 1] + 1];
  const auto seen = [&](Index k) {
    const LinkSite& site = tree_->links()[k];
    return sums_[site.joint + 1].speed(norm(site.place * site.center) + site.radius, root);
  };
  const double error = 2 * (bounds_[i].error + bounds_[j].error);
  return std::min(relative_way(bounds_[i], bounds_[j], t), (seen(i) + seen(j)) * t * up + error);
}

}  // namespace toccata
