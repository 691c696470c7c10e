// The growth of one patch from the best place for it.
#pragma once

#include <optional>

#include "toccata/query/deforming/patches.hpp"
#include "toccata/query/deforming/ring_growth.hpp"

namespace toccata {

/// What stands in the place of an owner while a face has none: threads that work in other cells see
/// that the face is none of theirs, whether it has been taken already or not.
inline Index free_in(Index cell) { return -1 - 2 * cell; }
/// The same of a face in the patch that grows.
inline Index taken_in(Index cell) { return -2 - 2 * cell; }

/// Grows patches for one thread, among the faces that are free in a cell.
class PatchGrowth {
 public:
  PatchGrowth(const Features& features, const StepFrames& frames, double diagonal,
              AtomicIndices& owners)
      : f_(features), frames_(frames), diagonal_(diagonal), owners_(owners), rings_(features) {}

  /// A patch around a face, or from a better start if that makes it larger: the seed is often at
  /// the edge of the free faces. One that has become large is good enough.
  StarView grow(Index seed, Index cell);

  /// Those of the last patch.
  std::span<const Index> faces() const { return faces_; }

  /// Where a patch grows from, and against which direction it is seen.
  struct Start {
    Index seed;
    Vec3d normal;  ///< any length
  };

  /// The view of a start: O moves with the middle of the seed.
  StarView view_of(const Start& start) const;
  /// The sum of the normals of some of the faces, halfway through the step.
  Vec3d normal_of(std::span<const Index> faces) const;
  /// A patch around a seed among the faces with owner `free`, the seed first. While it grows, its
  /// faces have the owner `taken`.
  StarView grow(const Start& start, Index free, Index taken, std::vector<Index>& faces);

 private:
  static constexpr std::size_t small = 2, large = 1024;  ///< not worth another start
  static constexpr std::size_t samples = 32;

  /// Where a face is halfway through the step.
  struct Place {
    Vec3d center, normal;  ///< three times the center, and any length
  };

  std::optional<Start> better_start();
  Place place_of(Index face) const;
  Vec3d normal_around(Index face) const;

  const Features& f_;
  StepFrames frames_;
  double diagonal_;
  AtomicIndices& owners_;
  RingGrowth rings_;
  std::vector<Index> faces_, other_faces_;
  std::vector<Vec3d> from_seed_;  ///< where some faces are
};

}  // namespace toccata
