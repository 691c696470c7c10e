// The articulated-body algorithm on a tree of rigid groups: inertias inward, accelerations outward.
#include "toccata/dynamics/articulated/group_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace toccata {
namespace {

constexpr Index most_freedoms = 6;

[[noreturn]] void reject_massless(Index joint) {
  throw std::invalid_argument("masses: expected something with mass to move by joint " +
                              std::to_string(joint) + ", got nothing");
}

/// Inverts a symmetric positive definite n x n matrix, by rows, with L D L^T. Returns whether it is
/// positive definite.
bool invert(Index n, const double* m, double* inverse) {
  std::array<double, most_freedoms * most_freedoms> l{};
  std::array<double, most_freedoms> d{};
  for (Index j = 0; j < n; ++j) {
    d[j] = m[j * n + j];
    for (Index k = 0; k < j; ++k) d[j] -= l[j * n + k] * l[j * n + k] * d[k];
    if (!(d[j] > 0)) return false;
    for (Index i = j + 1; i < n; ++i) {
      double sum = m[i * n + j];
      for (Index k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k] * d[k];
      l[i * n + j] = sum / d[j];
    }
  }
  for (Index c = 0; c < n; ++c) {
    std::array<double, most_freedoms> x{};
    for (Index i = 0; i < n; ++i) {
      x[i] = i == c;
      for (Index k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
    }
    for (Index i = n - 1; i >= 0; --i) {
      x[i] /= d[i];
      for (Index k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
      inverse[i * n + c] = x[i];
    }
  }
  return true;
}

}  // namespace

void GroupTree::build(std::span<const Joint> joints, std::span<const RigidInertia> inertias,
                      std::span<const std::uint8_t> active, const double* q) {
  groups_.assign(1, {});
  freedoms_.clear();
  inverses_.clear();
  group_of_.resize(joints.size());
  offset_.resize(joints.size());
  const Pose none;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    const Index above = joint.parent < 0 ? 0 : group_of_[joint.parent];
    const Pose zero = (joint.parent < 0 ? none : offset_[joint.parent]) * joint.origin;
    if (!active[j]) {
      group_of_[j] = above, offset_[j] = zero * joint_pose(joint, q);
      RigidGroup& group = groups_[above];
      group.inertia = group.inertia + inertia_to_parent(offset_[j], inertias[j]);
      continue;
    }
    group_of_[j] = static_cast<Index>(groups_.size()), offset_[j] = none;
    RigidGroup& group = groups_.emplace_back();
    group.parent = above, group.joint = static_cast<Index>(j), group.origin = zero;
    group.inertia = inertias[j];
    group.first = freedoms(), group.count = freedom_count(joint.kind);
    freedoms_.resize(freedoms_.size() + group.count);
  }
  inverses_.resize(groups_.size() + most_freedoms * freedoms_.size());
}

void GroupTree::place(std::span<const Joint> joints, const double* q) {
  for (RigidGroup& group : std::span(groups_).subspan(1)) {
    const Joint& joint = joints[group.joint];
    const Pose moved = joint_pose(joint, q);
    group.local = group.origin * moved;
    group.world = groups_[group.parent].world * group.local;
    Spatial columns[most_freedoms];
    joint_columns(joint, moved.rotation, columns);
    for (Index k = 0; k < group.count; ++k) freedoms_[group.first + k].column = columns[k];
  }
}

void GroupTree::factor(const double* resistance) {
  for (RigidGroup& group : groups_) group.articulated = articulated(group.inertia);
  for (Index g = static_cast<Index>(groups_.size()) - 1; g > 0; --g) {
    RigidGroup& group = groups_[g];
    factor_joint(group, resistance);
    // A joint with all six freedoms transmits no force.
    if (group.parent > 0 && group.count < most_freedoms)
      add(groups_[group.parent].articulated, inertia_to_parent(group.local, group.articulated));
  }
}

void GroupTree::factor_joint(RigidGroup& group, const double* resistance) {
  const Index n = group.count;
  Freedom* const freedom = freedoms_.data() + group.first;
  double* const inverse = inverses_.data() + most_freedoms * group.first;
  if (n == 1) {
    const Spatial u = group.articulated * freedom->column;
    const double d = dot(freedom->column, u) + (resistance ? resistance[group.first] : 0);
    if (!(d > 0)) reject_massless(group.joint);
    *inverse = 1 / d;
    freedom->gain = u * *inverse;
    subtract_product(group.articulated, u, freedom->gain);
    return;
  }
  std::array<Spatial, most_freedoms> u;
  std::array<double, most_freedoms * most_freedoms> d;
  for (Index k = 0; k < n; ++k) u[k] = group.articulated * freedom[k].column;
  for (Index k = 0; k < n; ++k)
    for (Index l = 0; l < n; ++l) d[k * n + l] = dot(freedom[k].column, u[l]);
  for (Index k = 0; k < n && resistance; ++k) d[k * n + k] += resistance[group.first + k];
  if (!invert(n, d.data(), inverse)) reject_massless(group.joint);
  for (Index k = 0; k < n; ++k) {
    freedom[k].gain = {};
    for (Index l = 0; l < n; ++l) freedom[k].gain = freedom[k].gain + u[l] * inverse[k * n + l];
  }
  for (Index k = 0; k < n; ++k) subtract_product(group.articulated, u[k], freedom[k].gain);
  if (n == most_freedoms) group.articulated = {};
}

void GroupTree::set_rates(const double* rates) {
  for (RigidGroup& group : std::span(groups_).subspan(1)) {
    Spatial own;
    for (Index k = group.first; k < group.first + group.count; ++k)
      own = own + freedoms_[k].column * rates[k];
    group.velocity = motion_from_parent(group.local, groups_[group.parent].velocity) + own;
    // The rates of floating joints are in fixed axes, but columns are in the axes of the frame.
    group.drift = cross_motion(group.velocity, own);
    group.drift.linear = group.drift.linear - cross(own.angular, own.linear);
  }
}

void GroupTree::start_forces() {
  for (RigidGroup& group : groups_)
    group.force = cross_force(group.velocity, group.inertia * group.velocity);
}

void GroupTree::clear_forces() {
  for (RigidGroup& group : groups_) group.force = {};
}

/// Propagates forces inward and accelerations outward (articulated-body algorithm).
template <bool with_drift>
void GroupTree::solve(const double* joint_forces, const Spatial& ground, double* out) {
  for (Index g = static_cast<Index>(groups_.size()) - 1; g > 0; --g) {
    const RigidGroup& group = groups_[g];
    Spatial passed = group.force;
    if (with_drift) passed = passed + group.articulated * group.drift;
    for (Index k = group.first; k < group.first + group.count; ++k) {
      const double force = joint_forces ? joint_forces[k] : 0;
      out[k] = force - dot(freedoms_[k].column, group.force);
      passed = passed + freedoms_[k].gain * out[k];
    }
    RigidGroup& parent = groups_[group.parent];
    parent.force = parent.force + force_to_parent(group.local, passed);
  }
  groups_[0].change = ground;
  for (RigidGroup& group : std::span(groups_).subspan(1)) {
    Spatial change = motion_from_parent(group.local, groups_[group.parent].change);
    if (with_drift) change = change + group.drift;
    const Index n = group.count;
    const double* const inverse = inverses_.data() + most_freedoms * group.first;
    std::array<double, most_freedoms> x;
    for (Index k = 0; k < n; ++k) {
      x[k] = -dot(freedoms_[group.first + k].gain, change);
      for (Index l = 0; l < n; ++l) x[k] += inverse[k * n + l] * out[group.first + l];
    }
    for (Index k = 0; k < n; ++k) {
      out[group.first + k] = x[k];
      change = change + freedoms_[group.first + k].column * x[k];
    }
    group.change = change;
  }
}

void GroupTree::accelerate(const double* joint_forces, const Vec3d& ground, double* out) {
  solve<true>(joint_forces, {ground, {0, 0, 0}}, out);
}

void GroupTree::strike(const double* joint_impulses, double* out) {
  solve<false>(joint_impulses, {}, out);
}

void GroupTree::spread(const double* changes) {
  groups_[0].change = {};
  for (RigidGroup& group : std::span(groups_).subspan(1)) {
    group.change = motion_from_parent(group.local, groups_[group.parent].change);
    for (Index k = group.first; k < group.first + group.count; ++k)
      group.change = group.change + freedoms_[k].column * changes[k];
  }
}

void GroupTree::watch(std::span<const Index> groups) {
  watched_.clear();
  watch_index_.assign(groups_.size(), -1);
  for (Index g : groups)
    for (; g >= 0 && watch_index_[g] < 0; g = groups_[g].parent)
      watch_index_[g] = 0, watched_.push_back(g);
  std::sort(watched_.begin(), watched_.end());
  for (std::size_t i = 0; i < watched_.size(); ++i)
    watch_index_[watched_[i]] = static_cast<Index>(i);
  responses_.resize(watched_.size());
  imbalances_.resize(most_freedoms * freedoms_.size());
}

void GroupTree::respond(Index group, const Six& impulses) {
  for (const Index g : watched_)
    std::fill_n(imbalances_.begin() + most_freedoms * groups_[g].first, 6 * groups_[g].count, 0.0);
  Six forces;
  for (int c = 0; c < 6; ++c) forces[c] = impulses[c] * -1;
  for (Index g = group; g > 0; g = groups_[g].parent) {
    const RigidGroup& at = groups_[g];
    for (Spatial& force : forces) {
      const Spatial before = force;
      double* imbalance = imbalances_.data() + most_freedoms * at.first + (&force - forces.data());
      for (Index k = at.first; k < at.first + at.count; ++k, imbalance += 6) {
        *imbalance = -dot(freedoms_[k].column, before);
        force = force + freedoms_[k].gain * *imbalance;
      }
      force = force_to_parent(at.local, force);
    }
  }
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const RigidGroup& at = groups_[watched_[i]];
    if (at.parent < 0) {
      responses_[i] = {};
      continue;
    }
    const Six& above = responses_[watch_index_[at.parent]];
    const double* const inverse = inverses_.data() + most_freedoms * at.first;
    const double* const imbalance = imbalances_.data() + most_freedoms * at.first;
    for (int c = 0; c < 6; ++c) {
      const Spatial carried = motion_from_parent(at.local, above[c]);
      Spatial change = carried;
      for (Index k = 0; k < at.count; ++k) {
        const Freedom& freedom = freedoms_[at.first + k];
        double x = -dot(freedom.gain, carried);
        for (Index l = 0; l < at.count; ++l) x += inverse[k * at.count + l] * imbalance[6 * l + c];
        change = change + freedom.column * x;
      }
      responses_[i][c] = change;
    }
  }
}

void GroupTree::keep_response(int number) {
  for (std::size_t i = 0; i < watched_.size(); ++i)
    responses_[i][number] = groups_[watched_[i]].change;
}

}  // namespace toccata
