// The tree of rigid groups of an articulated body: what inactive joints hold together moves as one,
// and active joints connect the groups. The articulated-body algorithm runs on it, so that its cost
// follows the active joints and not the links. With all joints active, each frame is a group.
//
// It is the divide-and-conquer recursion for subassemblies with one handle, their top: a subtree is
// joined to the group that it hangs on, joint by joint. Kept in inertias and not in their inverses,
// it needs no inverse of a group's inertia, so that frames without mass are fine.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"

namespace toccata {

/// Frames that move together. Vectors are in the axes of its top, the frame of the joint that the
/// group hangs on, about the origin of that frame.
struct RigidGroup {
  Index parent = -1;  ///< group; 0 is the ground and all that no active joint moves
  Index joint = -1;   ///< which it hangs on
  Index first = 0;    ///< its first freedom in the tree
  Index count = 0;    ///< freedoms
  Pose place;         ///< of the joint at zero, in the parent's top
  RigidInertia inertia;

  Pose local, world;  ///< of the top
  Spatial velocity;
  Spatial drift;                   ///< acceleration at constant rates
  Spatial force;                   ///< scratch of the passes
  Spatial change;                  ///< acceleration, or change of velocity
  ArticulatedInertia articulated;  ///< of all that hangs on the joint, the joint giving way
};

/// A freedom of the tree.
struct Freedom {
  Spatial column;  ///< its motion
  Spatial gain;    ///< force on the parent per force that the joint lacks
};

class GroupTree {
 public:
  /// The groups for a set of active joints (a byte each) at a configuration.
  void build(std::span<const Joint> joints, std::span<const RigidInertia> inertias,
             std::span<const std::uint8_t> active, const double* q);

  std::span<RigidGroup> groups() { return groups_; }
  std::span<const RigidGroup> groups() const { return groups_; }
  Index freedoms() const { return static_cast<Index>(freedoms_.size()); }
  /// By joint: the group that holds its frame, and where.
  Index group_of(Index joint) const { return group_of_[joint]; }
  std::span<const Index> groups_of_joints() const { return group_of_; }
  const Pose& offset(Index joint) const { return offset_[joint]; }

  /// Puts groups where a configuration has them; the numbers of inactive joints are not read.
  void place(std::span<const Joint> joints, const double* q);
  /// Sums inertias up; `resistance`, if any, is added to the inertia of each freedom.
  void factor(const double* resistance = nullptr);

  /// Velocities, and accelerations at constant rates.
  void set_rates(const double* rates);
  /// Forces of inertia at constant rates, in place of all forces.
  void start_forces();
  /// No forces.
  void clear_forces();
  /// Adds a force on a group, in its axes.
  void add_force(Index group, const Spatial& force) {
    groups_[group].force = groups_[group].force - force;
  }

  /// Accelerations of freedoms by forces of joints (none: null) and groups, with a ground that has
  /// the acceleration `ground`. Forces of groups are used up.
  void accelerate(const double* joint_forces, const Vec3d& ground, double* out);
  /// Changes of rates by impulses of joints (none: null) and groups. Those are used up.
  void strike(const double* joint_impulses, double* out);
  /// The changes of velocity of groups that belong to changes of rates, in `change`.
  void spread(const double* changes);

  /// Six motions or forces side by side.
  using Six = std::array<Spatial, 6>;
  /// Names the groups whose responses will be asked for.
  void watch(std::span<const Index> groups);
  /// Finds the changes of velocity of all watched groups by each of six impulses on one of them.
  /// Only what is between them and the ground is looked at.
  void respond(Index group, const Six& impulses);
  /// Takes over the changes that groups have as responses to the impulse of that number.
  void keep_response(int number);
  const Six& response(Index group) const { return responses_[place_in_watch_[group]]; }

 private:
  template <bool with_drift>
  void solve(const double* joint_forces, const Spatial& ground, double* out);
  void factor_joint(RigidGroup& group, const double* resistance);

  std::vector<RigidGroup> groups_;
  std::vector<Freedom> freedoms_;
  std::vector<double> inverses_;  // by group: the inverse of the inertia of its freedoms
  std::vector<Index> group_of_;
  std::vector<Pose> offset_;

  std::vector<Index> watched_;         // with all groups between them and the ground, in order
  std::vector<Index> place_in_watch_;  // by group; -1: not in it
  std::vector<Six> responses_;         // by place
  std::vector<double> lacking_;        // by freedom and impulse: what the joint lacks
};

}  // namespace toccata
