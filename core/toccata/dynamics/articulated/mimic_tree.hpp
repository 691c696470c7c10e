// A tree of rigid groups in terms of the body's velocities, in which mimic joints keep the rate of
// the joint that they follow.
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/articulated/group_tree.hpp"

namespace toccata {

/// Joints and what they carry.
struct ArticulatedModel {
  std::vector<Joint> joints;
  FreedomTable table;
  std::vector<RigidInertia> inertias;  ///< by joint: of what its frame carries, in its axes
};

class MimicTree {
 public:
  /// Joints that share a number have to be active together.
  void build(const ArticulatedModel& model, std::span<const std::uint8_t> active, const double* q);
  /// Puts groups at a configuration and sums inertias up. `resistance`, if any, is by rate of the
  /// body: added to the inertia of the joints.
  void place(const ArticulatedModel& model, const double* q);
  void factor(const double* resistance = nullptr);

  GroupTree& tree() { return tree_; }
  const GroupTree& tree() const { return tree_; }
  Index freedoms() const { return tree_.freedoms(); }

  /// A freedom of the tree is `factor` times a rate of the body.
  struct Slot {
    Index rate;
    double factor;
    bool leads;  ///< false for mimics: forces on the rate act on the one that leads
  };
  std::span<const Slot> slots() const { return slots_; }
  /// The rates of freedoms, from those of the body.
  void gather(const double* v, double* rates) const;
  /// The forces of freedoms, from those of the body.
  void gather_forces(const double* tau, double* forces) const;
  /// v += scale * the rates of the body, from those of freedoms.
  void scatter(const double* rates, double scale, double* v) const;

  /// As in the tree; mimics follow.
  void accelerate(const double* forces, const Vec3d& ground, double* out);
  void strike(const double* impulses, double* out);
  /// The same for six impulses on a group of those that are watched.
  void respond(Index group, const GroupTree::Six& impulses);

 private:
  /// rate of `follower` = ratio * rate of `leader`, both freedoms of the tree.
  struct Closure {
    Index follower, leader;
    double ratio;
  };
  void find_closures(const ArticulatedModel& model);
  void factor_closures();
  void close(double* rates);

  GroupTree tree_;
  std::vector<Slot> slots_;
  std::vector<Closure> closures_;
  std::vector<double> columns_;  // by closure: what a unit of its force does to all freedoms
  std::vector<double> lower_;    // Cholesky factor of what it does to closures, by rows
  std::vector<double> scratch_, changes_;
};

}  // namespace toccata
