// Impulses at contacts with Coulomb friction, by block Gauss-Seidel: contact by contact, with the
// friction disk as it is and not as a polygon.
#pragma once

#include <span>
#include <vector>

#include "toccata/base/index.hpp"
#include "toccata/math/mat3.hpp"

namespace toccata {

/// What an impulse on one link of an articulated body does to another one, or to itself: velocity
/// and spin by a force and by a torque. Links are taken about points of their own, world axes.
struct Mobility {
  Mat3d velocity_by_force, velocity_by_torque, spin_by_force, spin_by_torque;
};

/// Links among bodies: an impulse on one of them changes the velocities of all that are listed.
struct LinkMobilities {
  struct Listed {
    std::vector<Index> bodies;
    std::vector<Mobility> blocks;  ///< of row i by column j: what an impulse on j does to i
  };
  std::vector<Listed> articulated;
  std::vector<Index> owner;  ///< by body: which of `articulated` it is a link of; -1: none
  std::vector<Index> slot;   ///< by body: its place in the list; -1: it is not listed
};

/// Bodies about their centers of mass, world axes. With an inverse mass and an inverse inertia of 0
/// a body moves as given. Links have mobilities in place of both, and move as given if their
/// inverse mass is 0.
struct BodyVelocities {
  std::vector<double> inverse_mass;
  std::vector<Mat3d> inverse_inertia;
  std::vector<Vec3d> velocity, spin;
  const LinkMobilities* links = nullptr;   ///< null: no body is a link
  std::vector<std::vector<double>> rates;  ///< of articulated bodies; solvers leave them alone

  bool is_link(Index body) const { return links && links->owner[body] >= 0; }
};

/// Contacts of bodies a and b. Relative velocities are those of a at the point, seen from b.
struct ContactPoints {
  std::vector<Index> body_a, body_b;  ///< -1: what never moves
  std::vector<Vec3d> arm_a, arm_b;    ///< from the centers of mass to the point
  std::vector<Vec3d> normal;          ///< of length 1, from b to a
  std::vector<double> friction;       ///< Coulomb's coefficient
  std::vector<double> target;         ///< the least relative velocity along the normal
  std::vector<Vec3d> impulse;         ///< on a: a first guess, then the answer

  std::size_t count() const { return normal.size(); }
};

struct ContactSolverOptions {
  /// Ends when no impulse changes the velocity of its own contact by more than this part of the
  /// largest that there was to change.
  double tolerance = 1e-9;
  int most = 1000;  ///< passes over contacts
  /// Ends when changes are within a hundred times the tolerance and have not become this much
  /// smaller within some twenty passes: with friction they may go round in a circle.
  double progress = infinity;
};

struct ContactSolverReport {
  int passes = 0;
  bool converged = false;
  double change = 0;  ///< of a velocity, in the last pass over all
};

/// Keeps its memory from call to call.
class ContactSolver {
 public:
  /// Changes velocities by impulses such that at each contact, up to the tolerance, the normal
  /// velocity u_n is at least its target, the normal impulse l_n is at least 0, one of the two is
  /// an equality, and friction l_t is at most friction l_n: equal to it and against u_t where the
  /// contact slides. Impulses that are given are tried first. The order of contacts is theirs,
  /// forward and backward in turns. A stack of n bodies that only friction keeps from swaying takes
  /// nearly n^4 passes without a guess.
  ContactSolverReport solve(BodyVelocities& bodies, ContactPoints& contacts,
                            const ContactSolverOptions& options);

  /// The same for an impact: `restitution`, from 0 to 1, of each contact is the part of its impulse
  /// that comes back. Kinetic energy does not rise if targets are 0: where coefficients differ, all
  /// of them are scaled down as far as that takes.
  ContactSolverReport solve_impact(BodyVelocities& bodies, ContactPoints& contacts,
                                   std::span<const double> restitution,
                                   const ContactSolverOptions& options);

 private:
  struct Response {
    Index body_a, body_b;
    Vec3d normal, turn_a, turn_b;  // arms x normal
    Mat3d velocity;                // of the contact, by a unit of impulse
    double along;                  // the same along the normal; 0: nothing gives way
    double tangent;                // at most, in the tangent plane; infinity: nothing gives way
  };

  void prepare(const BodyVelocities& bodies, const ContactPoints& contacts);
  /// Applies the given impulses, as far as friction lets them be, and returns the largest velocity
  /// that there is to change.
  double warm_start(BodyVelocities& bodies, ContactPoints& contacts);
  double normal_velocity(const BodyVelocities& bodies, const Response& response) const;
  /// Returns the change of velocity at the contact.
  double relax(BodyVelocities& bodies, ContactPoints& contacts, std::size_t k) const;
  double pass(BodyVelocities& bodies, ContactPoints& contacts, bool backward) const;
  double allowed_return(const BodyVelocities& bodies, const ContactPoints& contacts) const;

  std::vector<Response> responses_;
  std::vector<std::size_t> bearing_;               // contacts that the present pass goes over
  std::vector<Vec3d> before_;                      // velocities of contacts
  std::vector<Vec3d> initial_, after_, returned_;  // of impacts: velocities, and impulses
};

}  // namespace toccata
