// Bodies that stay or move, with boxes for the broad phase: a scene, or what surrounds a robot.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "toccata/geometry/box_pack.hpp"
#include "toccata/geometry/tolerance.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Shared by all queries and threads: it changes only by `move` and `update`, while nobody asks.
/// Meshes must outlive it.
class World {
 public:
  static constexpr int windows = 16;  ///< of time

  World() = default;
  World(std::vector<const Mesh*> meshes, std::vector<Motion> motions);

  /// Worlds with the same one have the same bodies at rest.
  Count id() const { return id_; }
  std::size_t size() const { return meshes_.size(); }
  Body body(Index i) const { return {*meshes_[i], motions_[i]}; }
  bool is_fixed(Index i) const { return motions_[i].is_fixed(); }
  /// Whether any body does.
  bool moves() const { return moves_; }
  /// What happens during a part of [0, 1], as a world over [0, 1].
  World part(const Interval& window) const;
  const Radii& radii() const { return radii_; }
  /// Bounds the rounding error of points of all bodies.
  double error() const;
  /// The largest length of all bodies and motions.
  double extent() const { return extent_; }
  /// Boxes of the whole motions; the last pack is filled up with boxes that meet nothing.
  const std::vector<BoxPack>& packs() const { return packs_; }
  /// Box of the whole motion of body i. It contains those of all windows.
  const Box& box(Index i) const { return boxes_[i]; }
  /// Box of body i during a window.
  Box box(Index i, const Interval& window) const;

  /// Body i has another motion. Boxes are as before until `update`.
  void move(Index i, const Motion& motion);
  /// Makes boxes for what was moved. Returns whether the bodies that stay, or their poses, changed.
  bool update();

 private:
  /// Boxes by window of a body that moves. The first who asks makes them; who asks meanwhile makes
  /// his own, so that nobody waits. Copies make them anew.
  class Sweep {
   public:
    Sweep() = default;
    Sweep(const Sweep&) {}
    Sweep& operator=(const Sweep&) { return forget(), *this; }

    void forget() { state_.store(State::unknown, std::memory_order_relaxed); }
    Box over(const Body& body, int first, int last);

   private:
    enum class State : std::uint8_t { unknown, in_work, known };

    void make(const Body& body);

    std::atomic<State> state_{State::unknown};
    std::array<Box, windows> boxes_;
  };

  Box sweep_of(Index i, int first, int last) const {
    return sweeps_[sweep_[i]].over(body(i), first, last);
  }
  void find_box(Index i);
  void find_extent();

  Count id_ = 0;
  std::vector<const Mesh*> meshes_;
  std::vector<Motion> motions_;
  std::vector<Box> boxes_;
  std::vector<Index> sweep_;           // of a body that moves, or has moved; otherwise -1
  mutable std::vector<Sweep> sweeps_;  // made when asked for
  std::vector<BoxPack> packs_;
  std::vector<Index> moved_;  // since the last update
  std::vector<bool> is_moved_;
  Radii radii_;
  double extent_ = 0;
  bool moves_ = false, rest_changed_ = false;
};

}  // namespace toccata
