// The boundaries of patches.
#pragma once

#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// A side on the boundary of a patch, from vertex p to vertex q, and the patch of the same cell across
/// it, or none.
struct Border {
  Index p, q, across;
};

/// The boundaries of the patches of one cell; patches are counted from the first one of the cell.
class PatchBorders {
 public:
  PatchBorders(const Features& f, const Patches& patches, Index cell)
      : begin_(patches.first[cell]), end_(patches.first[cell + 1]) {
    for (Index c = begin_; c < end_; ++c) {
      for (const Index face : patches.faces.part(c))
        for (int k = 0; k < 3; ++k) {
          const Index across = patch_across(f, patches, face, k);
          if (across != c - begin_)
            sides_.push_back({f.faces[face][k], f.faces[face][(k + 1) % 3], across});
        }
      first_.push_back(sides_.size());
    }
  }

  std::span<const Border> of(Index patch) const {
    return std::span(sides_).subspan(first_[patch], first_[patch + 1] - first_[patch]);
  }

 private:
  Index patch_across(const Features& f, const Patches& patches, Index face, int k) const {
    const Index other = f.across[face][k];
    if (other == Features::none) return Features::none;
    const Index patch = patches.owner(other);
    return begin_ <= patch && patch < end_ ? patch - begin_ : Features::none;
  }

  Index begin_, end_;  ///< the patches of the cell
  std::vector<Border> sides_;
  std::vector<std::size_t> first_{0};  ///< of each patch
};

}  // namespace toccata
