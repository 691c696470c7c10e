// Energy accounts of an island: a substep ends with at most the energy of its start, plus the work
// of forces and pushes.
//
// A substep kicks, moves and kicks again, and solves for contacts and limits of joints after each
// kick. Each solution is a projection onto allowed velocities, which include 0, so it takes kinetic
// energy. There remain errors of the time step: rates of joints stay constant while configurations
// change, and contacts or limits may bear in one half only. These errors are of second order in the
// time step, but unbounded where joints turn by radians in a step. Accounts therefore limit them:
//
// * An account holds robots that springs connect. Let E be its energy, W the work of joint forces,
//   and P the energy added by pushes to the shell. A substep may end with E + W + P + L, where L is
//   the energy that errors of earlier substeps have taken: energy oscillates by an error of second
//   order, and this energy may return. Any excess is taken from kinetic energy, by one factor for
//   all rates. Proof that E stays below its start: E + L never rises by itself, and L starts at 0.
// * The potential energy at the end of a motion must not exceed this allowance. `afford` slows
//   motions down before they are certified. Rest is always affordable, as kinetic energy is not
//   negative. Proof that motions along a linear potential need no slowing: let v be the velocity at
//   the start, k half a kick and w the projection of v + k. The potential changes by -2 <k, w> in
//   the mass metric, and <v + k, w> >= |w|^2. It rises by at most 2 <v, w> - 2 |w|^2 <= |v|^2 / 2,
//   the kinetic energy.
// * Stops at limits are inelastic: the energy that is missing after a stop does not return, so L
//   does not grow.
// * Contacts transfer energy between bodies. Robots with contact impulses share one account with
//   all bodies that have features close to others. This account has no L.
#pragma once

#include <span>
#include <vector>

#include "toccata/dynamics/articulated/simulated_robot.hpp"
#include "toccata/dynamics/solver/contact_solver.hpp"

namespace toccata {

class IslandBodies;

/// The energy accounts of an island. Reuses its buffers across calls.
class IslandEnergy {
 public:
  /// Opens the accounts of an island's robots.
  void start(const IslandBodies& bodies);
  /// Starts a substep of a robot with its current energy.
  void start_substep(std::size_t robot, double energy);
  /// Takes note of contact impulses on a robot, and of joints stopped at their limits.
  void note_push(std::size_t robot) { pushed_[robot] = true; }
  void note_stop(std::size_t robot) { stopped_[robot] = true; }

  /// Slows down robots with motions that end higher than their energy allows. If contacts have
  /// pushed robots, also slows down the bodies marked in `touching`, by slot.
  void afford(IslandBodies& bodies, const std::vector<bool>& touching, double duration);
  /// Returns whether kinetic energy suffices for the height at the end of a motion.
  bool affords(IslandBodies& bodies, const std::vector<bool>& touching, double duration);

  /// Computes the energies that are allowed after the motions of robots, whose executed velocities
  /// may have pushes. Adds the potential energy of the pushes to `lift`.
  void allow(IslandBodies& bodies, std::span<const std::size_t> moving, double duration,
             double& lift);
  /// Returns the energy that pushes and forces add to a robot.
  double added(std::size_t robot) const { return expected_[robot] - before_[robot]; }
  /// Takes the energy that time-stepping errors have given to robots without contact impulses.
  /// Returns the change of their energy beyond the allowance of `allow`.
  double keep(IslandBodies& bodies);
  /// Takes an excess of energy from the bodies marked in `touching`, by slot.
  void take(IslandBodies& bodies, const std::vector<bool>& touching, double excess);
  /// Returns whether energy enters that `IslandBodies::energy` does not include.
  bool is_driven(const IslandBodies& bodies) const;

 private:
  /// An energy account: robots that springs connect, because springs exchange energy between them.
  struct Account {
    std::vector<std::size_t> robots;  // slots
    bool is_driven = false;
  };
  bool is_pushed(const Account& account) const;
  void find_heights(IslandBodies& bodies, std::span<const std::size_t> robots,
                    const BodyVelocities& all, double duration);
  void add_missing(IslandBodies& bodies, const Account& account, double duration, double& missing);
  bool affords(IslandBodies& bodies, const Account& account, double duration);
  bool affords_together(IslandBodies& bodies, const std::vector<bool>& touching, double duration);
  double settle(IslandBodies& bodies, const Account& account);

  std::vector<Account> accounts_;
  std::vector<bool> pushed_, stopped_;      // by robot: by contacts and by limits, in this substep
  std::vector<double> before_;              // by robot: energy at the start of a substep
  std::vector<double> expected_;            // by robot: energy allowed after a motion
  std::vector<double> heights_, unpushed_;  // by robot: potential energy after a motion
  std::vector<double> end_, rest_;
};

}  // namespace toccata
