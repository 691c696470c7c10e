// A tree of rigid groups with mimic joints, which keep the rate of the joint that they follow. It
// works with the rates of the body; the tree below has one freedom for each moving frame.
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/articulated/group_tree.hpp"

namespace toccata {

/// Joints of an articulated body, with the inertias that they carry.
struct ArticulatedModel {
  std::vector<Joint> joints;
  FreedomTable table;
  std::vector<RigidInertia> inertias;  ///< by joint: everything that its frame carries
};

class MimicTree {
 public:
  /// Builds the tree. Joints that share a coordinate must be active together.
  void build(const ArticulatedModel& model, std::span<const std::uint8_t> active, const double* q);
  /// Places groups at a configuration.
  void place(const ArticulatedModel& model, const double* q);
  void factor(const double* resistance = nullptr);

  GroupTree& tree() { return tree_; }
  const GroupTree& tree() const { return tree_; }
  Index freedoms() const { return tree_.freedoms(); }

  /// A freedom of the tree: `factor` times a rate of the body.
  struct Slot {
    Index rate;
    double factor;
    bool leads;  ///< false for mimics: forces on the rate act on the leader
  };
  std::span<const Slot> slots() const { return slots_; }
  /// Computes the rates of freedoms from the rates of the body.
  void gather(const double* v, double* rates) const;
  /// Computes the forces of freedoms from the forces of the body.
  void gather_forces(const double* tau, double* forces) const;
  /// Adds scale * rates to v: from the rates of freedoms to the rates of the body.
  void scatter(const double* rates, double scale, double* v) const;

  /// Computes accelerations as the tree does, with the constraints of mimic joints.
  void accelerate(const double* forces, const Vec3d& ground, double* out);
  void strike(const double* impulses, double* out);
  /// Responds to six impulses on one of the watched groups.
  void respond(Index group, const GroupTree::Six& impulses);

 private:
  /// Constraint of a mimic joint: rate of `follower` = ratio * rate of `leader`, both freedoms of
  /// the tree.
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
  std::vector<double> columns_;  // by closure: change of all freedoms by a unit of its force
  std::vector<double> lower_;    // Cholesky factor of the response of closures, by rows
  std::vector<double> scratch_, changes_;
};

}  // namespace toccata
