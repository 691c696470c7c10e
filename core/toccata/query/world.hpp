// Bodies that stay or move, with boxes for the broad phase: a scene, or what surrounds a robot.
#pragma once

#include <vector>

#include "toccata/geometry/box_pack.hpp"
#include "toccata/walk/pair.hpp"

namespace toccata {

/// Immutable, shared by all queries and threads. Meshes must outlive it.
class World {
 public:
  static constexpr int windows = 16;  ///< of time

  World() = default;
  World(std::vector<const Mesh*> meshes, std::vector<Motion> motions);

  std::size_t size() const { return meshes_.size(); }
  Body body(Index i) const { return {*meshes_[i], motions_[i]}; }
  bool is_fixed(Index i) const { return motions_[i].is_fixed(); }
  /// Whether any body does.
  bool moves() const { return moves_; }
  /// What happens during a part of [0, 1], as a world over [0, 1].
  World part(const Interval& window) const;
  /// Of the largest body.
  double radius() const { return radius_; }
  /// The largest length of all bodies and motions.
  double extent() const { return extent_; }
  /// Boxes of the whole motions; the last pack is filled up with boxes that meet nothing.
  const std::vector<BoxPack>& packs() const { return packs_; }
  /// Box of body i during a window.
  Box box(Index i, const Interval& window) const;

 private:
  void find_boxes(const World* known);

  std::vector<const Mesh*> meshes_;
  std::vector<Motion> motions_;
  std::vector<Box> boxes_;  // one of a body that stays, one per window of a body that moves
  std::vector<Index> first_box_;
  std::vector<BoxPack> packs_;
  double radius_ = 0, extent_ = 0;
  bool moves_ = false;
};

}  // namespace toccata
