// The tree of rigid groups of an articulated body. Inactive joints connect links to rigid groups,
// and active joints connect the groups. The articulated-body algorithm runs on this tree, so its
// cost depends on the number of active joints and not of links. With all joints active, each frame
// is a group.
//
// The algorithm is the divide-and-conquer recursion for subassemblies with one handle, their top:
// it joins each subtree to its parent group, joint by joint. It stores inertias instead of their
// inverses, so groups without mass are allowed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/dynamics/articulated/joint_freedom.hpp"

namespace toccata {

/// A rigid group. Vectors are in the axes of its top, which is the frame of the joint that carries
/// the group, about its origin.
struct RigidGroup {
  Index parent = -1;  ///< group; 0 is the ground with all that no active joint moves
  Index joint = -1;   ///< joint that carries the group
  Index first = 0;    ///< first freedom in the tree
  Index count = 0;    ///< number of freedoms
  Pose origin;        ///< of the joint at zero, in the parent's top
  RigidInertia inertia;

  Pose local, world;  ///< top, relative to the parent's top and in the world
  Spatial velocity;
  Spatial drift;                   ///< acceleration at constant rates
  Spatial force;                   ///< bias force during a solution
  Spatial change;                  ///< acceleration, or change of velocity
  ArticulatedInertia articulated;  ///< of the group and its descendants, seen through the joint
};

/// A freedom of the tree.
struct Freedom {
  Spatial column;  ///< motion per unit of its rate
  Spatial gain;    ///< force on the parent per unit of imbalance
};

class GroupTree {
 public:
  /// Builds the groups for a set of active joints (one byte each) at a configuration.
  void build(std::span<const Joint> joints, std::span<const RigidInertia> inertias,
             std::span<const std::uint8_t> active, const double* q);

  std::span<RigidGroup> groups() { return groups_; }
  std::span<const RigidGroup> groups() const { return groups_; }
  Index freedoms() const { return static_cast<Index>(freedoms_.size()); }
  /// Returns the group that contains the frame of a joint.
  Index group_of(Index joint) const { return group_of_[joint]; }
  std::span<const Index> groups_of_joints() const { return group_of_; }
  const Pose& offset(Index joint) const { return offset_[joint]; }

  /// Places groups at a configuration. Coordinates of inactive joints are not read.
  void place(std::span<const Joint> joints, const double* q);
  /// Factors the articulated inertias. `resistance`, if given, is added to the inertia of each
  /// freedom.
  void factor(const double* resistance = nullptr);

  /// Sets velocities, and accelerations at constant rates.
  void set_rates(const double* rates);
  /// Replaces all forces by the inertial forces at constant rates.
  void start_forces();
  /// Removes all forces.
  void clear_forces();
  /// Adds a force on a group, in its axes.
  void add_force(Index group, const Spatial& force) {
    groups_[group].force = groups_[group].force - force;
  }

  /// Computes the accelerations of freedoms by forces on joints (null: none) and groups. `ground`
  /// is the acceleration of the ground. Clobbers the forces on groups.
  void accelerate(const double* joint_forces, const Vec3d& ground, double* out);
  /// Computes the changes of rates by impulses on joints (null: none) and groups. Clobbers the
  /// impulses on groups.
  void strike(const double* joint_impulses, double* out);
  /// Computes the changes of velocity of groups that result from changes of rates, in `change`.
  void spread(const double* changes);

  /// Six motions or forces side by side.
  using Six = std::array<Spatial, 6>;
  /// Selects the groups for `respond` and `response`.
  void watch(std::span<const Index> groups);
  /// Computes the changes of velocity of all watched groups by each of six impulses on one of them.
  /// Visits only groups between them and the ground.
  void respond(Index group, const Six& impulses);
  /// Stores the current changes of groups as their responses to impulse `number`.
  void keep_response(int number);
  const Six& response(Index group) const { return responses_[watch_index_[group]]; }

 private:
  template <bool with_drift>
  void solve(const double* joint_forces, const Spatial& ground, double* out);
  void factor_joint(RigidGroup& group, const double* resistance);

  std::vector<RigidGroup> groups_;
  std::vector<Freedom> freedoms_;
  std::vector<double> inverses_;  // by group: the inverse of the inertia of its freedoms
  std::vector<Index> group_of_;
  std::vector<Pose> offset_;

  std::vector<Index> watched_;      // with all groups between them and the ground, in order
  std::vector<Index> watch_index_;  // by group: index in `watched_`, or -1
  std::vector<Six> responses_;      // by index in `watched_`
  std::vector<double> imbalances_;  // by freedom and impulse
};

}  // namespace toccata
