// The contacts of an island during a substep: from proximities to contact rows, impulses and
// impacts.
#pragma once

#include "toccata/dynamics/solver/small_projection.hpp"
#include "toccata/dynamics/world/implied_rows.hpp"
#include "toccata/dynamics/world/island_mobilities.hpp"

namespace toccata {

/// An impact of two bodies.
struct Impact {
  double time;
  Index a, b;
  Vec3d point, normal;  ///< point of the largest impulse; normal from b to a
  Vec3d impulse;        ///< on a, sum over all points
  double speed;         ///< of approach, before the impact
};

/// Solver of contacts in an island. Reuses its buffers across calls.
class IslandContacts {
 public:
  /// Collects the contact rows of pairs, for current velocities that last up to `duration` seconds.
  /// Looks for impacts with restitution if `bounces`.
  void start(std::span<SimulatedPair* const> pairs, IslandBodies& bodies, double duration,
             bool bounces);

  /// Solves impacts with restitution of touching features or, if `early`, of all that will touch.
  /// Velocities change, no time passes. Returns whether there are any.
  bool collide(IslandBodies& bodies, bool early);
  /// Returns the time until the first impact, according to linearized rows.
  double time_of_impact(const IslandBodies& bodies) const;
  /// Solves for velocities that satisfy the contacts during a motion of tau seconds.
  void solve_velocities(IslandBodies& bodies, double tau);
  /// Solves for the executed velocities: they end at the shell although rows are linear and motions
  /// are not, and push bodies out of the shell. Velocities stay unchanged, so pushes add no kinetic
  /// energy.
  void solve_positions(IslandBodies& bodies, double tau);
  /// Shortens a portion of a motion of tau seconds until kinetic energy suffices for the height at
  /// its end. Returns the portion itself if no shorter one suffices, which is an error of the
  /// solvers.
  double affordable(IslandBodies& bodies, double tau, double part);
  /// Computes the rows at the end of a motion of `duration` seconds.
  void look_ahead(IslandBodies& bodies, double duration);
  /// Solves for velocities at the end of a substep, without impacts with restitution, which follow.
  /// Stores bearing contacts in their pairs, with the impulses of tau / 2 seconds.
  void settle(IslandBodies& bodies, double tau);
  /// Takes the energy that time-stepping errors have added. Such errors are of second order in the
  /// length of a substep: a contact bears in one half of it only, and rates of joints stay constant
  /// while configurations change. Touching bodies and robots return this energy. Does nothing if
  /// kinematic bodies bring energy.
  void take_energy(IslandBodies& bodies, double allowed);

  /// Appends the impacts that the last impulses have caused, without pushes.
  void note_impacts(double time, std::vector<Impact>& impacts) const;
  /// Adds the last impulses to the impacts from `first` on.
  void add_to_impacts(std::size_t first, std::vector<Impact>& impacts) const;

  Count passes() const { return passes_; }

 private:
  const std::vector<bool>& touching(const IslandBodies& bodies);
  template <class Touches>
  void find_mobilities(IslandBodies& bodies, const Touches& touches);
  void clear();
  void add(const IslandBodies& bodies, const ContactRow& row, const RowAfter& where, double target);
  void add_here(const IslandBodies& bodies, const ContactRow& row, double target);
  bool set_position_targets(IslandBodies& bodies, double tau);
  void warm_start(double duration);
  void solve(IslandBodies& bodies, ContactSolverOptions how);
  void solve_with_limits(IslandBodies& bodies, const ContactSolverOptions& how, double tau);
  void remember(double duration);
  bool is_small(const IslandBodies& bodies) const {
    return !bodies.has_robots() && SmallProjection::is_small(bodies.count(), chosen_.size());
  }

  std::span<SimulatedPair* const> pairs_;
  std::vector<ContactRow> rows_;
  ImpliedRows implied_;
  std::vector<const ContactRow*> chosen_;  // the rows of `contacts_`
  ContactPoints contacts_;
  std::vector<Vec3d> impulses_;  // that changed velocities
  std::vector<double> restitution_;
  std::vector<bool> touches_;
  std::vector<Index> touched_;
  IslandMobilities mobilities_;
  ContactSolver solver_;
  SmallProjection small_;
  BodyVelocities tried_;
  ContactPoints tried_contacts_;
  Count passes_ = 0;
};

}  // namespace toccata
