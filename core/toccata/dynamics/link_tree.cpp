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
  tree_ = &tree, q_ = q;
  twists_.clear(), sums_.assign(1, {}), bounds_.clear();
  for (Index j = 0; j < static_cast<Index>(tree.joints().size()); ++j) {
    twists_.push_back(tree.twist(j, q, rates, duration));
    sums_.push_back(ChainSums(sums(tree.joints()[j].parent), twists_.back()));
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

/// The angles of joints are rounded when they are added up, by 2^-53 of them: a link moves by that
/// times its distance from the joint. Shifts are lengths, of which the error of a motion knows.
double LinkMotions::rounding_of(Index i) const {
  const LinkSite& site = tree_->links()[i];
  double angles = 0;
  for (Index j = site.joint; j >= 0; j = tree_->joints()[j].parent) {
    const Joint& joint = tree_->joints()[j];
    const double* q = q_ + joint.coordinate;
    if (joint.kind == JointKind::revolute) angles += std::abs(joint.factor * q[0]);
    if (joint.kind == JointKind::planar) angles += std::abs(q[2]);
  }
  // An error per unit of effort is 2^-46 of the length.
  const double far = norm(site.place * site.center) + site.radius;
  return 0x1p-4 * (angles + sums(site.joint).turn()) * sums(site.joint).error(far);
}

/// A chain's state encloses the paths of points by Taylor polynomials, until the end of the motion.
LinkMotions::Bound LinkMotions::find_bound(Index i) const {
  const LinkSite& site = tree_->links()[i];
  const Chain chain(twists_.data(), tree_->path(i), site.center);
  Bound bound;
  bound.rounding = rounding_of(i);
  const double far = norm(site.place * site.center) + site.radius;
  bound.error = bound.rounding + sums(site.joint).error(far);
  bound.speed = 0;
  if (chain.is_fixed()) return bound;
  const MotionState s = chain.state(0, 1);
  bound.speed = sums(site.joint).speed(far, {});
  bound.turn = sums(site.joint).turn();
  bound.velocity = s.velocity;
  // The speeds of all joints add up to no more: velocities are rounded by far less than 2^-40 of
  // that.
  bound.swing = site.radius * norm(s.spin) + 0x1p-40 * bound.speed;
  bound.bend = (s.acceleration + s.turning * site.radius) / 2;
  return bound;
}

double LinkMotions::Bound::way(double t) const {
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
  const ChainSums& root = shared == 0 ? sums(-1) : sums(tree_->path(i)[shared - 1]);
  const auto seen = [&](Index k) {
    const LinkSite& site = tree_->links()[k];
    return sums(site.joint).speed(norm(site.place * site.center) + site.radius, root);
  };
  const double error = 2 * (bounds_[i].error + bounds_[j].error);
  return std::min(relative_way(bounds_[i], bounds_[j], t), (seen(i) + seen(j)) * t * up + error);
}

}  // namespace toccata
