// Poses of links, trees of active joints, and balls around rigid groups.
#include "toccata/dynamics/articulated/link_tree.hpp"

#include <algorithm>
#include <atomic>

namespace toccata {
namespace {

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

}  // namespace

LinkTree::LinkTree(std::vector<Joint> joints, std::vector<LinkSite> links)
    : joints_(std::move(joints)), hidden_(joints_.size()), links_(links.size()) {
  const FreedomTable table(joints_);
  first_ = table.first, coordinates_ = table.coordinates;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    leads_.push_back(table.leader[j] == static_cast<Index>(j));
  sites_ = std::move(links);
  finish();
}

LinkTree LinkTree::reduced(std::span<const std::uint8_t> active, const double* q) const {
  LinkTree tree;
  tree.is_reduced_ = true;
  tree.coordinates_ = coordinates_, tree.links_ = links_;
  struct Site {
    Index joint = -1;  // the last active one
    Pose pose;         // in the frame of `joint`
    HiddenJoints hidden;
  };
  // Without hidden joints, poses keep their bits.
  const auto compose = [](const Site& above, const Pose& next) {
    return above.hidden.count > 0 ? above.pose * next : next;
  };
  std::vector<Site> frames(1);  // the ground, then each joint
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Site& above = frames[joints_[j].parent + 1];
    if (active[j]) {
      Joint& joint = tree.joints_.emplace_back(joints_[j]);
      joint.parent = above.joint, joint.origin = compose(above, joint.origin);
      tree.hidden_.push_back(above.hidden);
      tree.first_.push_back(first_[j]), tree.leads_.push_back(leads_[j]);
      frames.push_back({static_cast<Index>(tree.joints_.size()) - 1, {}, {}});
    } else {
      const Pose local = joints_[j].origin * joint_pose(joints_[j], q);
      const HiddenJoints hidden{above.hidden.count + 1,
                                above.hidden.length + norm(local.translation)};
      frames.push_back({above.joint, compose(above, local), hidden});
    }
  }
  for (LinkSite site : links()) {
    const Site& frame = frames[site.joint + 1];
    site.joint = frame.joint, site.offset = compose(frame, site.offset);
    site.hidden = frame.hidden, site.carrier = frame.pose;
    tree.sites_.push_back(site);
  }
  tree.finish();
  return tree;
}

void LinkTree::finish() {
  static std::atomic<std::uint64_t> last = 0;
  id_ = ++last;
  chain_start_.push_back(0);
  for (std::size_t i = 0; i < links_; ++i) {
    for (Index j = sites_[i].joint; j >= 0; j = joints_[j].parent) chains_.push_back(j);
    std::reverse(chains_.begin() + static_cast<std::ptrdiff_t>(chain_start_[i]), chains_.end());
    chains_.push_back(static_cast<Index>(joints_.size() + i));
    chain_start_.push_back(chains_.size());
  }
  enclose_groups();
}

/// Finds a ball around the links of each group with several links.
void LinkTree::enclose_groups() {
  groups_.assign(joints_.size() + 1, {});
  std::vector<Box> centers(groups_.size());
  std::vector<Index> count(groups_.size(), 0);
  for (std::size_t i = 0; i < links_; ++i) {
    const LinkSite& site = sites_[i];
    const std::size_t g = site.joint + 1;
    if (count[g]++ == 0) groups_[g].first = groups_[g].site = static_cast<Index>(i);
    groups_[g].largest = std::max(groups_[g].largest, site.radius);
    groups_[g].smallest = std::min(groups_[g].smallest, site.radius);
    extend(centers[g], site.offset * site.center);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (count[g] < 2) continue;
    groups_[g].site = static_cast<Index>(sites_.size());
    sites_.push_back({static_cast<Index>(g) - 1, {}, toccata::center(centers[g])});
  }
  for (std::size_t i = 0; i < links_; ++i) {
    const LinkSite& site = sites_[i];
    LinkSite& whole = sites_[groups_[site.joint + 1].site];
    if (&site == &whole) continue;
    const double reach = norm(site.offset * site.center - whole.center) + site.radius;
    whole.radius = std::max(whole.radius, reach * beyond_rounding);
    whole.hidden = {std::max(whole.hidden.count, site.hidden.count),
                    std::max(whole.hidden.length, site.hidden.length)};
  }
}

Twist LinkTree::twist(Index j, const double* q, const double* rates, double duration) const {
  const Joint& joint = joints_[j];
  const Rates r = joint_rates(joint, rates + first_[j]);
  const Mat3d& axes = joint.origin.rotation;
  return {joint.origin * joint_pose(joint, q),
          {0, 0, 0},
          axes * (r.velocity * duration),
          axes * (r.spin * duration)};
}

void LinkTree::advance(const double* q, const double* rates, double duration, double* end) const {
  std::copy(q, q + coordinates_, end);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (leads_[j]) advance_joint(joints_[j], rates + first_[j], duration, end);
}

void LinkTree::frames(const double* q, const double* rates, std::vector<MovingFrame>& found) const {
  found.resize(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const MovingFrame above = joint.parent < 0 ? MovingFrame{} : found[joint.parent];
    const Pose zero = above.pose * joint.origin;
    const Rates r = joint_rates(joint, rates + first_[j]);
    const Pose pose = zero * joint_pose(joint, q);
    const Vec3d arm = pose.translation - above.pose.translation;
    found[j] = {pose, above.velocity + cross(above.spin, arm) + zero.rotation * r.velocity,
                above.spin + zero.rotation * r.spin};
  }
}

MovingFrame LinkTree::link(Index i, std::span<const MovingFrame> frames) const {
  const LinkSite& site = sites_[i];
  const MovingFrame frame = site.joint < 0 ? MovingFrame{} : frames[site.joint];
  const Vec3d arm = frame.pose.rotation * (site.offset * site.center);
  return {frame.pose * site.offset, frame.velocity + cross(frame.spin, arm), frame.spin};
}

Pose LinkTree::carrier(Index i, std::span<const MovingFrame> frames) const {
  const LinkSite& site = sites_[i];
  const Pose frame = site.joint < 0 ? Pose{} : frames[site.joint].pose;
  return site.hidden.count > 0 ? frame * site.carrier : frame;
}

std::size_t LinkTree::common_joints(Index i, Index j) const {
  const std::span<const Index> a = chain(i), b = chain(j);
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  return k;
}

}  // namespace toccata
