// The contacts of an island during a substep: rows of all that is near, and what they do to
// velocities.
#pragma once

#include "toccata/dynamics/solver/small_projection.hpp"
#include "toccata/dynamics/world/impact.hpp"
#include "toccata/dynamics/world/implied_rows.hpp"
#include "toccata/dynamics/world/island_bodies.hpp"

namespace toccata {

/// Keeps its memory from call to call.
class IslandContacts {
 public:
  /// Collects the features of pairs that are near each other, while bodies have their velocities
  /// for up to `duration` seconds. Looks for impacts with restitution if `bounces`.
  void start(std::span<SimulatedPair* const> pairs, IslandBodies& bodies, double duration,
             bool bounces);

  /// Impacts with restitution of what touches, or `early`, of all that is on its way: velocities
  /// change, no time passes. Returns whether there are some.
  bool collide(IslandBodies& bodies, bool early);
  /// When the first impact is due that is on its way, as far as rows that are linear can tell.
  double time_of_impact(const IslandBodies& bodies) const;
  /// Velocities that contacts allow for a motion that takes tau seconds.
  void solve_velocities(IslandBodies& bodies, double tau);
  /// What is executed differs from velocities by what it takes to end at the shell: rows are linear
  /// in the motion, and motions are not; and what is inside of the shell is pushed out. Velocities
  /// stay as they are, so that this adds no kinetic energy.
  void solve_positions(IslandBodies& bodies, double tau);
  /// Shortens a part of a motion that takes tau seconds until kinetic energy pays for the height at
  /// its end. Returns the part itself if no shorter one is better: then solvers err by that.
  double affordable(IslandBodies& bodies, double tau, double part);
  /// Finds where features will be at the end of a motion that takes so long.
  void look_ahead(IslandBodies& bodies, double duration);
  /// Velocities that contacts allow where bodies have come to; but impacts with restitution are
  /// still to come. What bears is kept in its pairs, with impulses of tau / 2 seconds.
  void settle(IslandBodies& bodies, double tau);
  /// Errors of a substep leave some energy behind, of second order in its length: a contact that
  /// bears during one half of it only, and rates of joints that stay while configurations change.
  /// Bodies that touch and robots give it back. Scripted bodies bring what they like.
  void take_energy(IslandBodies& bodies, double allowed);

  /// What the last impulses, without those that push apart, did to pairs that came together.
  void note_impacts(double time, std::vector<Impact>& impacts) const;
  /// Adds the last impulses to impacts from `first` on.
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
  void guess(double duration);
  void solve(IslandBodies& bodies, ContactSolverOptions how);
  void solve_with_limits(IslandBodies& bodies, const ContactSolverOptions& how, double tau);
  void remember(double duration);
  bool is_small(const IslandBodies& bodies) const {
    return !bodies.has_robots() && SmallProjection::is_small(bodies.count(), chosen_.size());
  }

  std::span<SimulatedPair* const> pairs_;
  std::vector<ContactRow> rows_;
  ImpliedRows implied_;
  std::vector<const ContactRow*> chosen_;  // those of contacts
  ContactPoints contacts_;
  std::vector<Vec3d> impulses_;  // that changed velocities
  std::vector<double> restitution_;
  std::vector<bool> touches_;
  std::vector<Index> touched_;
  ContactSolver solver_;
  SmallProjection small_;
  BodyVelocities tried_;
  ContactPoints tried_contacts_;
  Count passes_ = 0;
};

}  // namespace toccata
