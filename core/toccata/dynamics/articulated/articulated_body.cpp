// State of an articulated body: configuration, rates, forces, energy, and its rigid groups.
#include "toccata/dynamics/articulated/articulated_body.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

ArticulatedModel make_model(std::vector<Joint> joints, std::span<const MassProperties> masses) {
  expects(masses.size() == joints.size(), "masses", "expected one for each joint",
          static_cast<double>(masses.size()));
  for (const Joint& joint : joints)
    expects(coordinate_count(joint.kind) == 1 || joint.factor == 1, "joints",
            "expected no factor of planar and floating joints");
  FreedomTable table(joints);
  std::vector<RigidInertia> inertias;
  for (const MassProperties& properties : masses) inertias.push_back(rigid_inertia(properties));
  return {std::move(joints), std::move(table), std::move(inertias)};
}

/// Returns a wrench in world coordinates as one about the origin of a frame, in its axes.
Spatial wrench_at(const Pose& world, const FramePull& pull) {
  const Vec3d arm = pull.point - world.translation;
  return {transposed_times(world.rotation, pull.force),
          transposed_times(world.rotation, cross(arm, pull.force) + pull.torque)};
}

Vec3d velocity_at(const RigidGroup& group, const Spatial& motion, const Vec3d& point) {
  const Vec3d spin = group.world.rotation * motion.angular;
  return group.world.rotation * motion.linear + cross(spin, point - group.world.translation);
}

/// Returns a unit force along an axis, or a unit torque about it.
FramePull unit_pull(Index joint, const Vec3d& point, int axis) {
  constexpr Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, none{0, 0, 0};
  return axis < 3 ? FramePull{joint, point, axes[axis], none}
                  : FramePull{joint, point, none, axes[axis - 3]};
}

Pose frame_in(const GroupTree& tree, Index joint) {
  if (joint < 0) return {};
  return tree.groups()[tree.group_of(joint)].world * tree.offset(joint);
}

/// Returns the velocity of a frame's origin and its spin, world axes, for a motion of its group.
Spatial origin_motion(const GroupTree& tree, Index joint, const Spatial& m) {
  const RigidGroup& group = tree.groups()[tree.group_of(joint)];
  const Vec3d spin = group.world.rotation * m.angular;
  const Vec3d arm = group.world.rotation * tree.offset(joint).translation;
  return {group.world.rotation * m.linear + cross(spin, arm), spin};
}

}  // namespace

ArticulatedBody::ArticulatedBody(std::vector<Joint> joints, std::span<const MassProperties> masses,
                                 ArticulatedSettings settings)
    : model_(make_model(std::move(joints), masses)),
      settings_(std::move(settings)),
      selection_(model_.joints, model_.table) {
  expects(settings_.refresh >= 1, "refresh", "expected at least 1", settings_.refresh);
  const auto given = [&](const std::vector<double>& limits, const char* name) {
    expects(limits.empty() || limits.size() == static_cast<std::size_t>(coordinates()), name,
            "expected a limit for each coordinate", static_cast<double>(limits.size()));
  };
  given(settings_.lower, "lower"), given(settings_.upper, "upper");
  const auto infinite = [](double limit) { return std::isinf(limit); };
  if (std::all_of(settings_.lower.begin(), settings_.lower.end(), infinite) &&
      std::all_of(settings_.upper.begin(), settings_.upper.end(), infinite))
    settings_.lower.clear(), settings_.upper.clear();
  q_.resize(coordinates()), v_.resize(freedoms());
  tau.resize(freedoms()), damping_.resize(freedoms());
  for (const Joint& joint : model_.joints)
    if (joint.kind == JointKind::floating) q_[joint.coordinate + 6] = 1;
  values_.resize(model_.joints.size());
  active_.assign(model_.joints.size(), 1);
  wanted_ = active_;
  rebuild(active_);
  factor(0);  // reports joints that move no mass
}

void ArticulatedBody::set(std::span<const double> q, std::span<const double> v) {
  const bool fits = keeps_groups(q, v);
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  placed_ = moving_ = false, factored_ = -1;
  if (fits) return;
  const std::vector<std::uint8_t> active = active_;
  rebuild(std::vector<std::uint8_t>(active.size(), 1));
  set_active(active);
}

/// Returns whether inactive joints keep their coordinates and have no rates.
bool ArticulatedBody::keeps_groups(std::span<const double> q, std::span<const double> v) const {
  for (std::size_t j = 0; j < active_.size(); ++j) {
    if (active_[j]) continue;
    const Joint& joint = model_.joints[j];
    for (Index k = joint.coordinate; k < joint.coordinate + coordinate_count(joint.kind); ++k)
      if (q[k] != q_[k]) return false;
    const Index first = model_.table.first[j];
    for (Index k = first; k < first + freedom_count(joint.kind); ++k)
      if (v[k] != 0) return false;
  }
  return true;
}

void ArticulatedBody::set_velocity(std::span<const double> v) {
  std::copy(v.begin(), v.end(), v_.begin());
  moving_ = false;
}

void ArticulatedBody::set_damping(std::span<const double> damping) {
  std::copy(damping.begin(), damping.end(), damping_.begin());
  damped_ = std::any_of(damping.begin(), damping.end(), [](double d) { return d != 0; });
  factored_ = -1;
}

void ArticulatedBody::place() {
  if (placed_) return;
  tree_.place(model_, q_.data());
  placed_ = true;
}

void ArticulatedBody::factor(double time) {
  if (!damped_) time = 0;
  place();
  if (factored_ == time) return;
  if (time > 0) {
    rates_.resize(freedoms());
    for (Index i = 0; i < freedoms(); ++i) rates_[i] = damping_[i] * time / 2;
  }
  tree_.factor(time > 0 ? rates_.data() : nullptr);
  factored_ = time;
  work_.groups += tree_.tree().groups().size();
}

void ArticulatedBody::set_rates() {
  place();
  if (moving_) return;
  tree_.gather(v_.data(), rates_.data());
  tree_.tree().set_rates(rates_.data());
  moving_ = true;
}

Pose ArticulatedBody::frame(Index joint) {
  place();
  return frame_in(tree_.tree(), joint);
}

Spatial ArticulatedBody::velocity(Index joint) {
  if (joint < 0) return {};
  set_rates();
  const GroupTree& tree = tree_.tree();
  return origin_motion(tree, joint, tree.groups()[tree.group_of(joint)].velocity);
}

double ArticulatedBody::kinetic_energy() {
  set_rates();
  double sum = 0;
  for (const RigidGroup& group : tree_.tree().groups().subspan(1))
    sum += dot(group.velocity, group.inertia * group.velocity) / 2;
  return sum;
}

double ArticulatedBody::energy() {
  double sum = kinetic_energy();
  for (const RigidGroup& group : tree_.tree().groups())
    sum -= dot(settings_.gravity, group.world.rotation * group.inertia.first +
                                      group.world.translation * group.inertia.mass);
  for (const Spring& spring : springs) {
    const Vec3d from = frame(spring.joint) * spring.point;
    const Pose other = spring.other ? spring.other->frame(spring.other_joint) : Pose{};
    const double stretch = norm(other * spring.other_point - from) - spring.length;
    const bool shared = spring.other && spring.other != this && spring.other_joint >= 0;
    sum += (shared ? 0.25 : 0.5) * spring.stiffness * stretch * stretch;
  }
  return sum;
}

Spatial ArticulatedBody::momentum() {
  set_rates();
  Spatial sum;
  for (const RigidGroup& group : tree_.tree().groups().subspan(1))
    sum = sum + force_to_parent(group.world, group.inertia * group.velocity);
  return sum;
}

void ArticulatedBody::add_wrench(GroupTree& tree, const FramePull& pull) const {
  if (pull.joint < 0) return;
  const Index g = tree.group_of(pull.joint);
  tree.add_force(g, wrench_at(tree.groups()[g].world, pull));
}

/// Adds pulls and springs. Springs are damped by the velocities that groups of the tree have.
void ArticulatedBody::add_wrenches(GroupTree& tree) const {
  for (const FramePull& pull : pulls) add_wrench(tree, pull);
  for (const Spring& s : springs) {
    const bool own = s.other == this;
    const Vec3d from = frame_in(tree, s.joint) * s.point;
    const Pose there = own       ? frame_in(tree, s.other_joint)
                       : s.other ? s.other->frame(s.other_joint)
                                 : Pose{};
    const Vec3d to = there * s.other_point, line = to - from, along = unit_or_zero(line);
    const auto speed = [&](Index joint, const Vec3d& point) {
      if (joint < 0) return Vec3d{0, 0, 0};
      const RigidGroup& group = tree.groups()[tree.group_of(joint)];
      return velocity_at(group, group.velocity, point);
    };
    Vec3d relative = speed(s.joint, from) * -1;
    if (own) relative = relative + speed(s.other_joint, to);
    else if (s.other && s.other_joint >= 0) {
      const Spatial v = s.other->velocity(s.other_joint);
      relative = relative + v.linear + cross(v.angular, to - there.translation);
    }
    const double size = s.stiffness * (norm(line) - s.length) + s.damping * dot(relative, along);
    add_wrench(tree, {s.joint, from, along * size, {0, 0, 0}});
    if (own) add_wrench(tree, {s.other_joint, to, along * -size, {0, 0, 0}});
  }
}

void ArticulatedBody::mobility(std::span<const Index> joints, double* blocks) {
  factor(0);
  GroupTree& tree = tree_.tree();
  const std::size_t k = joints.size();
  std::vector<Index>& groups = touched_;
  groups.clear();
  for (const Index j : joints) groups.push_back(tree.group_of(j));
  tree.watch(groups);
  GroupTree::Six impulses;
  for (std::size_t b = 0; b < k; ++b) {
    const Pose& world = tree.groups()[groups[b]].world;
    const Vec3d origin = frame(joints[b]).translation;
    for (int i = 0; i < 6; ++i) impulses[i] = wrench_at(world, unit_pull(joints[b], origin, i));
    tree_.respond(groups[b], impulses);
    for (std::size_t a = 0; a < k; ++a)
      for (int i = 0; i < 6; ++i) {
        const Spatial u = origin_motion(tree, joints[a], tree.response(groups[a])[i]);
        double* to = blocks + 6 * a * 6 * k + 6 * b + i;
        for (const Vec3d& part : {u.linear, u.angular})
          for (const double x : {part.x, part.y, part.z}) *to = x, to += 6 * k;
      }
  }
}

void ArticulatedBody::apply(std::span<const FramePull> impulses) {
  factor(0);
  tree_.tree().clear_forces();
  for (const FramePull& impulse : impulses) add_wrench(tree_.tree(), impulse);
  tree_.strike(nullptr, out_.data());
  tree_.scatter(out_.data(), 1, v_.data());
  moving_ = false;
}

MimicTree& ArticulatedBody::full() {
  if (!has_full_) full_.build(model_, std::vector<std::uint8_t>(active_.size(), 1), q_.data());
  has_full_ = true;
  return full_;
}

void ArticulatedBody::acceleration(const double* q, const double* v, const double* joint_forces,
                                   double* out) {
  MimicTree& all = full();
  std::fill_n(out, freedoms(), 0.0);
  rates_.resize(all.freedoms()), forces_.resize(all.freedoms()), out_.resize(all.freedoms());
  all.place(model_, q);
  all.factor();
  all.gather(v, rates_.data());
  all.gather_forces(joint_forces, forces_.data());
  all.tree().set_rates(rates_.data());
  all.tree().start_forces();
  all.accelerate(forces_.data(), -settings_.gravity, out_.data());
  all.scatter(out_.data(), 1, out);
}

void ArticulatedBody::rebuild(std::span<const std::uint8_t> active) {
  std::copy(active.begin(), active.end(), active_.begin());
  tree_.build(model_, active_, q_.data());
  const auto size = static_cast<std::size_t>(std::max(freedoms(), tree_.freedoms()));
  for (std::vector<double>* scratch : {&start_, &rates_, &forces_, &out_})
    if (scratch->size() < size) scratch->resize(size);
  placed_ = moving_ = false, factored_ = -1;
}

Index ArticulatedBody::active_count() const {
  return static_cast<Index>(std::count(active_.begin(), active_.end(), 1));
}

void ArticulatedBody::set_active(std::span<const std::uint8_t> active) {
  expects(active.size() == active_.size(), "active", "expected a value for each joint",
          static_cast<double>(active.size()));
  std::transform(active.begin(), active.end(), wanted_.begin(),
                 [](std::uint8_t a) { return a != 0; });
  selection_.complete(wanted_);
  if (wanted_ == active_) return;
  set_rates();
  const bool grows =
      std::equal(active_.begin(), active_.end(), wanted_.begin(),
                 [](std::uint8_t before, std::uint8_t now) { return before <= now; });
  if (grows) {
    rebuild(wanted_);
    return;
  }
  const GroupTree before = tree_.tree();
  rebuild(wanted_);
  keep_momentum(before);
}

/// Projects the velocities before onto those that active joints allow, in the mass metric. The
/// impulses that make groups rigid are internal, so they keep momentum. A body at rest that
/// receives its former momentum as an impulse therefore gets the same velocities.
void ArticulatedBody::keep_momentum(const GroupTree& before) {
  factor(0);
  GroupTree& tree = tree_.tree();
  tree.clear_forces();
  for (Index j = 0; j < static_cast<Index>(active_.size()); ++j) {
    const RigidGroup& group = before.groups()[before.group_of(j)];
    const Spatial motion = motion_from_parent(before.offset(j), group.velocity);
    tree.add_force(tree.group_of(j), force_to_parent(tree.offset(j), model_.inertias[j] * motion));
  }
  tree_.strike(nullptr, out_.data());
  std::fill(v_.begin(), v_.end(), 0.0);
  tree_.scatter(out_.data(), 1, v_.data());
  moving_ = false;
}

void ArticulatedBody::activate(std::span<const Index> joints) {
  std::vector<std::uint8_t> active = active_;
  for (Index j : joints)
    for (; j >= 0; j = model_.joints[j].parent) active[j] = true;
  set_active(active);
}

std::span<const double> ArticulatedBody::measure() {
  MimicTree& all = full();
  all.place(model_, q_.data());
  all.factor();
  all.gather(v_.data(), rates_.data());
  gather_forces(all);
  accelerate(all, rates_.data(), out_.data());
  for (const RigidGroup& group : all.tree().groups().subspan(1)) {
    const JointKind kind = model_.joints[group.joint].kind;
    double sum = 0;
    for (Index k = 0; k < group.count; ++k) {
      const bool turns = kind == JointKind::revolute || (kind == JointKind::planar && k == 2) ||
                         (kind == JointKind::floating && k > 2);
      const double unit = turns ? 1 : settings_.metric_length;
      const double a = out_[group.first + k] / unit;
      const double b = rates_[group.first + k] / (unit * settings_.metric_time);
      sum += a * a + b * b;
    }
    values_[group.joint] = sum;
  }
  selection_.measure(values_);
  return values_;
}

void ArticulatedBody::adapt(const ActiveChoice& choice) {
  const bool changed = choice != choice_;
  choice_ = choice;
  if (choice.activity == Activity::kept) return;
  const bool all = tree_.tree().groups().size() == active_.size() + 1;
  if (choice.activity == Activity::chosen && !changed && ++since_refresh_ < settings_.refresh)
    return;
  since_refresh_ = 0;
  rigid_metric_ = 0;
  if (choice.activity == Activity::all && all) return;
  chosen_.assign(active_.size(), 1);
  if (choice.activity == Activity::chosen) {
    measure();
    rigid_metric_ = selection_.choose(choice, chosen_);
    work_.refreshes += 1, work_.refreshed += static_cast<Count>(active_.size());
  }
  set_active(chosen_);
}

}  // namespace toccata
