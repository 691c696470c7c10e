// The friction solver: impulses at contacts with Coulomb friction by block Gauss-Seidel, contact by
// contact, with exact friction disks instead of polygons.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

/// Mobility of two links of an articulated body: velocity and spin of the first by a force and by a
/// torque on the second. Each link refers to a point of its own, world axes.
struct Mobility {
  Mat3d velocity_by_force, velocity_by_torque, spin_by_force, spin_by_torque;
};

/// Mobilities of links among bodies: an impulse on a listed link changes the velocities of all
/// listed links of its articulated body.
struct LinkMobilities {
  struct Listed {
    std::vector<Index> bodies;
    std::vector<Mobility> blocks;  ///< at row i, column j: response of i to an impulse on j
  };
  std::vector<Listed> articulated;
  std::vector<Index> owner;  ///< by body: its articulated body; -1: none
  std::vector<Index> slot;   ///< by body: its position in the list; -1: not listed
};

/// Velocities and inverse masses of bodies, about their centers of mass, world axes. A body with
/// inverse mass and inverse inertia 0 has a given velocity. Links have mobilities in place of both;
/// a link with inverse mass 0 has a given velocity.
struct BodyVelocities {
  std::vector<double> inverse_mass;
  std::vector<Mat3d> inverse_inertia;
  std::vector<Vec3d> velocity, spin;
  const LinkMobilities* links = nullptr;   ///< null: no body is a link
  std::vector<std::vector<double>> rates;  ///< of articulated bodies; not used by solvers

  bool is_link(Index body) const { return links && links->owner[body] >= 0; }
};

/// Contact points of bodies a and b. Relative velocities are those of a minus those of b.
struct ContactPoints {
  std::vector<Index> body_a, body_b;  ///< -1: fixed
  std::vector<Vec3d> arm_a, arm_b;    ///< from the centers of mass to the point
  std::vector<Vec3d> normal;          ///< unit vectors from b to a
  std::vector<double> friction;       ///< Coulomb's coefficient
  std::vector<double> target;         ///< least relative velocity along the normal
  std::vector<Vec3d> impulse;         ///< on a: start values, then the solution

  std::size_t count() const { return normal.size(); }
};

struct ContactSolverOptions {
  /// Convergence: no impulse changes the velocity of its own contact by more than this portion of
  /// the largest velocity to change.
  double tolerance = 1e-9;
  int most = 1000;  ///< passes over contacts
  /// Stops early when changes are within a hundred times the tolerance and have not decreased by
  /// this factor in about twenty passes: with friction, the iteration may cycle.
  double progress = infinity;
};

struct ContactSolverReport {
  int passes = 0;
  bool converged = false;
  double change = 0;  ///< largest change of a velocity in the last pass over all contacts
};

/// Block Gauss-Seidel over contacts. Reuses its buffers across calls.
class ContactSolver {
 public:
  /// Changes velocities by impulses that satisfy Coulomb's law up to the tolerance. At each
  /// contact, the normal velocity u_n is at least its target, the normal impulse l_n is at least 0,
  /// and one of the two holds with equality. The friction impulse l_t is at most friction l_n; if
  /// the contact slides, it is equal to friction l_n and opposite to u_t. The given impulses are
  /// the start values. Contacts are visited in their order, forward and backward in turns. A stack
  /// of n bodies that only friction keeps from swaying takes nearly n^4 passes without start
  /// values.
  ContactSolverReport solve(BodyVelocities& bodies, ContactPoints& contacts,
                            const ContactSolverOptions& options);

  /// Solves an impact. `restitution`, from 0 to 1, is the portion of each contact's impulse that is
  /// returned. With targets 0, kinetic energy does not rise: if coefficients differ, all of them
  /// are scaled down as far as necessary.
  ContactSolverReport solve_impact(BodyVelocities& bodies, ContactPoints& contacts,
                                   std::span<const double> restitution,
                                   const ContactSolverOptions& options);

 private:
  struct Response {
    Index body_a, body_b;
    Vec3d normal, turn_a, turn_b;  // turn: arm x normal
    Mat3d velocity;                // of the contact, per unit of impulse
    double along;                  // along the normal; 0: neither body can move
    double tangent;  // largest value in the tangent plane; infinity: neither body can move
  };

  void prepare(const BodyVelocities& bodies, const ContactPoints& contacts);
  /// Applies the start impulses, within the friction disks. Returns the largest velocity to change.
  double warm_start(BodyVelocities& bodies, ContactPoints& contacts);
  double normal_velocity(const BodyVelocities& bodies, const Response& response) const;
  /// Returns the change of velocity at the contact.
  double relax(BodyVelocities& bodies, ContactPoints& contacts, std::size_t k) const;
  double pass(BodyVelocities& bodies, ContactPoints& contacts, bool backward) const;
  double allowed_return(const BodyVelocities& bodies, const ContactPoints& contacts) const;

  std::vector<Response> responses_;
  std::vector<std::size_t> bearing_;               // contacts of the current pass
  std::vector<Vec3d> before_;                      // velocities of contacts
  std::vector<Vec3d> initial_, after_, returned_;  // of impacts: velocities, impulses
};

}  // namespace toccata
