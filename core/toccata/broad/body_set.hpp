// The world: fixed and moving bodies, with boxes for the broad phase. It is a scene, or the
// surroundings of a robot.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "toccata/geometry/box_pack.hpp"
#include "toccata/geometry/tolerance.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Bodies with boxes of their motions. All threads share it. It changes only by `move` and
/// `update`, which must not run during a query. Meshes must outlive it.
class BodySet {
 public:
  static constexpr int windows = 16;  ///< number of windows of a motion, for boxes

  BodySet() = default;
  BodySet(std::vector<const Mesh*> meshes, std::vector<Motion> motions);

  /// Returns the unique id of the fixed bodies: worlds with the same id have the same fixed bodies.
  Count id() const { return id_; }
  std::size_t size() const { return meshes_.size(); }
  Body body(Index i) const { return {*meshes_[i], motions_[i]}; }
  bool is_fixed(Index i) const { return motions_[i].is_fixed(); }
  /// Tells that at least one body moves.
  bool moves() const { return moves_; }
  /// Returns the world during a window of [0, 1], as a world over [0, 1].
  BodySet part(const Interval& window) const;
  const Radii& radii() const { return radii_; }
  /// Bounds the rounding error of points of all bodies.
  double error() const;
  /// Returns the largest length of all bodies and motions.
  double extent() const { return extent_; }
  /// Returns the boxes of the whole motions. The last pack is filled up with empty boxes.
  const std::vector<BoxPack>& packs() const { return packs_; }
  /// Returns the box of body i during its whole motion. It contains the boxes of all windows.
  const Box& box(Index i) const { return boxes_[i]; }
  /// Returns the box of body i during a window.
  Box box(Index i, const Interval& window) const;

  /// Changes the motion of body i. Boxes follow at the next `update`.
  void move(Index i, const Motion& motion);
  /// Updates the boxes of the changed bodies. Returns whether the set of fixed bodies or their
  /// poses changed.
  bool update();

 private:
  /// Boxes of a moving body, by window. Built lazily by the first caller. Concurrent callers
  /// compute a private copy instead of blocking. Copies of the object start empty.
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
  std::vector<Index> sweep_;  // index into `sweeps_`; -1 for a body that has never moved
  mutable std::vector<Sweep> sweeps_;
  std::vector<BoxPack> packs_;
  std::vector<Index> moved_;  // bodies that changed since the last update
  std::vector<bool> is_moved_;
  Radii radii_;
  double extent_ = 0;
  bool moves_ = false, rest_changed_ = false;
};

}  // namespace toccata
