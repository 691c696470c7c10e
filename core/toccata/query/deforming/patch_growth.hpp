// The growth of one patch, ring by ring.
#pragma once

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// A patch that nobody owns yet: its faces and its view.
struct GrownPatch {
  std::vector<Index> faces;
  StarView view;
};

/// Grows patches for one thread, among the faces that have no owner.
class PatchGrowth {
 public:
  PatchGrowth(const Features& features, const StepFrames& frames, double diagonal,
              const Patches::Owners& owners);

  /// A patch around a face, and again from its middle as long as that makes it larger: the seed is
  /// often at the edge of the free faces. One that has become large is good enough. The faces that
  /// were taken on the way are added to `tried`: with other owners of them it may be another patch.
  GrownPatch grow(Index seed, std::vector<Index>& tried);

 private:
  static constexpr int trials = 3;
  static constexpr std::size_t large = 1024;

  struct Start {
    Index seed;
    Vec3d normal;  ///< any length
  };

  /// Where a face is halfway through the step.
  struct Place {
    Vec3d center, normal;  ///< three times the center, and any length
  };

  StarView grow(const Start& start, std::vector<Index>& faces);
  Start middle_of(const std::vector<Index>& faces);
  StarView view_of(const Start& start) const;
  Place place_of(Index face) const;
  bool is_inside(Index face) const { return marks_[face] == mark_; }
  bool is_free(Index face) const {
    return !is_inside(face) && owners_[face].load(std::memory_order_relaxed) == Features::none;
  }

  const Features& f_;
  StepFrames frames_;
  double diagonal_;
  const Patches::Owners& owners_;
  std::vector<Index> marks_;  ///< the last patch that took the face
  Index mark_ = 0;
  std::vector<Index> faces_, next_faces_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
