// The growth of one patch, ring by ring.
#pragma once

#include <optional>

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// A patch that nobody owns yet: its faces and its view.
struct GrownPatch {
  std::vector<Index> faces;
  StarView view;
};

/// Which faces are in patches that are being grown ahead: two that meet cannot both stay as they
/// are, so the one whose turn is later is better put off.
class Claims {
 public:
  Claims(std::size_t face_count, unsigned threads)
      : turns_(atomic_indices(face_count, 0, threads)) {}

  /// False if a patch whose turn is before has claimed the face, and is not in place yet.
  bool claim(Index face, Index turn) {
    if (turns_.empty()) return true;
    const Index other = turns_[face].load(std::memory_order_relaxed);
    if (other < turn && other > passed_.load(std::memory_order_relaxed)) return false;
    turns_[face].store(turn, std::memory_order_relaxed);
    return true;
  }
  /// The patch of the next turn is in place.
  void pass() { passed_.fetch_add(1, std::memory_order_relaxed); }

 private:
  AtomicIndices turns_;  ///< of each face: the last claim; empty for one thread
  std::atomic<Index> passed_{0};
};

/// Grows patches for one thread, among the faces that have no owner.
class PatchGrowth {
 public:
  PatchGrowth(const Features& features, const StepFrames& frames, double diagonal,
              const AtomicIndices& owners, Claims& claims);

  /// A patch around a face, and again from its middle as long as that makes it larger: the seed is
  /// often at the edge of the free faces. One that has become large is good enough. The faces that
  /// were taken on the way are added to `tried`: with other owners of them it may be another patch.
  /// None if it runs into a patch that is claimed for a turn before its own.
  std::optional<GrownPatch> grow(Index seed, Index turn, std::vector<Index>& tried);

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

  std::optional<StarView> grow(const Start& start, Index turn, std::vector<Index>& faces);
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
  const AtomicIndices& owners_;
  Claims& claims_;
  std::vector<Index> marks_;  ///< the last patch that took the face
  Index mark_ = 0;
  std::vector<Index> faces_, next_faces_;
  std::vector<Vec3d> centers_;
};

}  // namespace toccata
