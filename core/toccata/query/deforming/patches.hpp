// Patches of a surface that cannot touch themselves, grown ring by ring.
#pragma once

#include "toccata/base/atomic_indices.hpp"
#include "toccata/query/deforming/cells.hpp"
#include "toccata/query/deforming/star_view.hpp"

namespace toccata {

/// Each patch has a view that shows why it does not touch itself. A patch of a single face does not
/// either, but its view may show nothing.
struct Patches {
  Partition faces;
  AtomicIndices owners;  ///< the patch of each face
  std::vector<StarView> views;
  Cells cells;                 ///< a patch stays within a cell
  std::vector<Index> first{};  ///< those of cell i are the patches first[i] .. first[i + 1] - 1

  Index owner(Index face) const { return owners[face].load(std::memory_order_relaxed); }
};

/// Whether a patch can take a face and keep the conditions of its view: the face has a positive
/// area, and its sides turn around O unless they cancel one of the patch. If there is such a side,
/// O is beyond it and not in the image of the face, so the boundary still turns around O once.
template <class Inside>
bool joins(const StarView& view, const Features& features, Index face, const Inside& inside) {
  const auto& [a, b, c] = features.faces[face];
  const ViewPoint p = view(a), q = view(b), r = view(c);
  const std::array<Quadratic, 3> turns{turn(p, q), turn(q, r), turn(r, p)};
  if (!view.positive(turns[0] + turns[1] + turns[2])) return false;
  for (int k = 0; k < 3; ++k) {
    const Index other = features.across[face][k];
    const bool cancels = other != Features::none && inside(other);
    if (!cancels && !view.positive(turns[k])) return false;
  }
  return true;
}

/// Whether faces meet all conditions of a view, so that they do not touch each other. `inside` tells
/// whether a face is one of them.
template <class Inside>
bool is_star(const StarView& view, const Features& features, std::span<const Index> faces,
             const Inside& inside) {
  Index passes = 0;
  for (const Index face : faces) {
    const auto& [a, b, c] = features.faces[face];
    const std::array<ViewPoint, 3> p{view(a), view(b), view(c)};
    const std::array<Quadratic, 3> turns{turn(p[0], p[1]), turn(p[1], p[2]), turn(p[2], p[0])};
    if (!view.positive(turns[0] + turns[1] + turns[2])) return false;
    for (int k = 0; k < 3; ++k) {
      const Index other = features.across[face][k];
      if (other != Features::none && inside(other)) continue;
      if (!view.positive(turns[k])) return false;
      passes += passes_axis(p[k], p[(k + 1) % 3]);
    }
  }
  return passes == 1;
}

/// Grows patches around faces that none has taken, one after the other in each cell. They do not
/// depend on the number of threads: otherwise other pairs that come within the tolerance but do not
/// touch would be skipped, and the answers would depend on it too.
Patches grow_patches(const Features& features, const StepFrames& frames, double diagonal,
                     unsigned threads);

}  // namespace toccata
