// The boundaries of patches.
#pragma once

#include <utility>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// A side on the boundary of a patch, from vertex p to vertex q, and the patch across.
struct Border {
  Index p, q, across;
};

class PatchBorders {
 public:
  PatchBorders(const Features& f, const Patches& patches, unsigned threads)
      : sides_(patches.cells.count()), of_(patches.faces.count()) {
    parallel_for(sides_.size(), 1, threads, [&](std::size_t cell, std::size_t, unsigned) {
      collect(f, patches, static_cast<Index>(cell));
    });
  }

  std::span<const Border> of(Index patch) const { return of_[patch]; }

 private:
  void collect(const Features& f, const Patches& patches, Index cell) {
    std::vector<Border> sides;
    std::vector<std::size_t> first{0};
    for (Index c = patches.first[cell]; c < patches.first[cell + 1]; ++c) {
      for (const Index face : patches.faces.part(c))
        for (int k = 0; k < 3; ++k) {
          const Index other = f.across[face][k];
          const Index across = other == Features::none ? Features::none : patches.owner(other);
          if (across != c) sides.push_back({f.faces[face][k], f.faces[face][(k + 1) % 3], across});
        }
      first.push_back(sides.size());
    }
    for (std::size_t i = 0; i + 1 < first.size(); ++i)
      of_[patches.first[cell] + i] = std::span(sides).subspan(first[i], first[i + 1] - first[i]);
    sides_[cell] = std::move(sides);
  }

  std::vector<std::vector<Border>> sides_;   ///< of each cell
  std::vector<std::span<const Border>> of_;  ///< of each patch
};

}  // namespace toccata
