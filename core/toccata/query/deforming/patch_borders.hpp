// The boundaries of patches.
#pragma once

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
      : sides_(patches.faces.count()) {
    parallel_for(sides_.size(), 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t c = begin; c < end; ++c) collect(f, patches, static_cast<Index>(c));
    });
  }

  std::span<const Border> of(Index patch) const { return sides_[patch]; }

 private:
  void collect(const Features& f, const Patches& patches, Index c) {
    for (const Index face : patches.faces.part(c))
      for (int k = 0; k < 3; ++k) {
        const Index other = f.across[face][k];
        const Index across = other == Features::none ? Features::none : patches.owner(other);
        if (across != c) sides_[c].push_back({f.faces[face][k], f.faces[face][(k + 1) % 3], across});
      }
  }

  std::vector<std::vector<Border>> sides_;  ///< of each patch
};

}  // namespace toccata
