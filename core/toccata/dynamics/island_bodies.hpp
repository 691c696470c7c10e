// The bodies of an island during a step: how they move, and which of them are held.
#pragma once

#include <span>
#include <utility>

#include "toccata/dynamics/contact_rows.hpp"
#include "toccata/dynamics/contact_solver.hpp"
#include "toccata/dynamics/islands.hpp"

namespace toccata {

/// Bodies have their index in the simulation, and a place in the island. Keeps its memory.
class IslandBodies {
 public:
  void start(const Island& island, std::span<SimulatedBody> all, const Vec3d& gravity);

  std::size_t count() const { return island_->bodies.size(); }
  Index index(std::size_t place) const { return island_->bodies[place]; }
  /// -1 for a body that is not in the island, since it is fixed.
  Index place(Index body) const { return place_[body]; }
  SimulatedBody& at(std::size_t place) const { return all_[index(place)]; }
  SimulatedBody& body(Index i) const { return all_[i]; }

  /// Whether contacts move a body of the island.
  bool moves(std::size_t place) const {
    return at(place).is_free() && !at(place).is_asleep() && !held_[place];
  }
  /// It stays for the rest of the step. Returns whether it did not before.
  bool hold(Index body);
  bool is_held(std::size_t place) const { return held_[place]; }
  /// Bodies that are held are not even pushed apart any more. Returns whether they were before.
  bool freeze() { return std::exchange(frozen_, true); }

  /// Velocities after forces have acted for `kick` seconds, for a motion that takes a while.
  void load(double kick, double duration);
  void store() const;
  /// What bodies execute unless something pushes them: as free bodies turn.
  void prepare_execution(double duration);
  /// Moves bodies as executed, with forces that act for another `kick` seconds. Returns the energy
  /// that they may have after it; `lift` is what pushing bodies apart has brought.
  double execute(double duration, double kick, double& lift);

  BodyVelocities velocities;  ///< that bodies have
  BodyVelocities executed;    ///< with what pushes them apart

  BodyVelocity velocity(const BodyVelocities& all, Index body) const;
  Vec3d acceleration(Index body) const;
  /// How fast the distance of two bodies can change.
  double relative_speed(const SimulatedPair& pair, const BodyVelocities& all) const;
  /// How fast a distance along a normal changes, at a point of both bodies.
  double rate(const SimulatedPair& pair, const Vec3d& point, const Vec3d& normal,
              const BodyVelocities& all) const;

  /// Where velocities take bodies.
  void displace(const BodyVelocities& all, double duration);
  Displaced displaced(Index body) const;

  double energy() const;
  bool has_scripted() const;

 private:
  BodyVelocity scripted(const SimulatedBody& body, double duration) const;

  const Island* island_ = nullptr;
  std::span<SimulatedBody> all_;
  Vec3d gravity_{0, 0, 0};
  std::vector<Index> place_;
  std::vector<bool> held_;
  bool frozen_ = false;
  std::vector<Displaced> displaced_;
};

}  // namespace toccata
