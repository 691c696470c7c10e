// Poses of links, and bounds of their paths by the speeds of all joints of their chains.
#include "toccata/dynamics/articulated/link_tree.hpp"

#include <algorithm>
#include <atomic>

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

/// Returns the sums of a chain with further inactive joints. Without any, they keep their bits.
ChainSums carried(const ChainSums& sums, const HiddenJoints& hidden) {
  return hidden.count > 0 ? sums.carried(hidden.length, hidden.count) : sums;
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
    whole.radius = std::max(whole.radius, reach * outward);
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
  return EnclosingBall{Motion(Chain::make(std::move(joints), Vec3d{0, 0, 0})),
                       radius * outward + rounded + rounding(carrier, {}, norm(turning.start()))};
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
  return std::min({during(whole_drift(i), t), sum, bounds.speed * t}) * outward + 2 * bounds.error;
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
  double sum = windows_ == 1 ? infinity : 0;
  for (int w = 0; w < windows_ && windows_ > 1; ++w) {
    const Drift a = drift_in(i, w), b = drift_in(j, w);
    const double time = 1.0 / windows_;
    sum += (norm(a.velocity - b.velocity) + a.swing + b.swing + time * (a.bend + b.bend)) * time;
  }
  const double error = 2 * (bound(i).error + bound(j).error);
  return std::min(relative_travel(mover(i), mover(j)),
                  std::min(seen(i) + seen(j), sum) * outward + error);
}

}  // namespace toccata
