// The growth of one patch, ring by ring.
#pragma once

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// What stands in the place of an owner while a face has none: threads that work in other cells see
/// that the face is none of theirs, whether it has been taken already or not.
inline Index free_in(Index cell) { return -1 - cell; }

/// Grows patches for one thread, among the faces that are free in a cell.
class PatchGrowth {
 public:
  PatchGrowth(const Features& features, const StepFrames& frames, double diagonal,
              const AtomicIndices& owners)
      : f_(features), frames_(frames), diagonal_(diagonal), owners_(owners),
        marks_(features.faces.size(), 0) {}

  /// A patch around a face, and again from its middle as long as that makes it larger: the seed is
  /// often at the edge of the free faces. One that has become large is good enough.
  StarView grow(Index seed, Index cell);

  /// Those of the last patch.
  std::span<const Index> faces() const { return faces_; }

  /// Where a patch grows from, and in which view.
  struct Start {
    Index seed;
    Vec3d normal;  ///< any length
  };

  /// A view against the sum of the normals of some faces.
  Start start(Index seed, std::span<const Index> faces) const;
  /// O moves with the middle of the seed.
  StarView view_of(const Start& start) const;
  /// A patch around a seed among the faces with owner `free`, the seed first.
  StarView grow(const Start& start, Index free, std::vector<Index>& faces);
  /// Whether a face is in the last patch that has grown.
  bool is_inside(Index face) const { return marks_[face] == mark_; }

 private:
  static constexpr int trials = 3;
  static constexpr std::size_t large = 1024;

  /// Where a face is halfway through the step.
  struct Place {
    Vec3d center, normal;  ///< three times the center, and any length
  };

  Start middle_of(const std::vector<Index>& faces);
  Place place_of(Index face) const;

  const Features& f_;
  StepFrames frames_;
  double diagonal_;
  const AtomicIndices& owners_;
  UnfilledVector<Index> marks_;  ///< the last patch that took the face
  Index mark_ = 0;
  std::vector<Index> faces_, next_faces_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
