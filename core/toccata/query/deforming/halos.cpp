#include "toccata/query/deforming/halos.hpp"

namespace toccata {
namespace {

constexpr int rings = 8;

class HaloGrowth {
 public:
  HaloGrowth(const Features& features, const FaceLinks& links, const Patches& patches,
             const Partition& groups)
      : f_(features), links_(links), patches_(patches), groups_(groups),
        covers_(features.faces.size()), inside_(features.faces.size(), Cover::none) {}

  std::vector<Cover> run() {
    for (Index g = 0; g < groups_.count(); ++g)
      for (const Index patch : groups_.part(g))
        for (const Index face : patches_.faces.part(patch)) covers_[face].group = g;
    for (Index g = 0; g < groups_.count(); ++g) grow(g);
    return std::move(covers_);
  }

 private:
  void grow(Index g) {
    const StarView& view = patches_.views[groups_.part(g)[0]];
    const Index seed = patches_.faces.part(groups_.part(g)[0])[0];
    if (is_single(g) && !fits(view, seed, g)) return;  // its view may show nothing
    ring_.clear();
    for (const Index patch : groups_.part(g))
      for (const Index face : patches_.faces.part(patch)) {
        inside_[face] = g;
        if (is_on_border(face, g)) ring_.push_back(face);
      }
    for (int k = 0; k < rings && !ring_.empty(); ++k) add_ring(view, g);
  }

  void add_ring(const StarView& view, Index g) {
    next_.clear();
    for (const Index face : ring_)
      for (const Index other : links_.across[face])
        if (other != FaceLinks::none && inside_[other] != g && fits(view, other, g)) {
          inside_[other] = g;
          covers_[other].add(g);
          next_.push_back(other);
        }
    ring_.swap(next_);
  }

  bool fits(const StarView& view, Index face, Index g) const {
    return joins(view, f_, links_, face, [&](Index other) { return inside_[other] == g; });
  }
  bool is_on_border(Index face, Index g) const {
    for (const Index other : links_.across[face])
      if (other != FaceLinks::none && covers_[other].group != g) return true;
    return false;
  }
  bool is_single(Index g) const {
    const auto patches = groups_.part(g);
    return patches.size() == 1 && patches_.faces.part(patches[0]).size() == 1;
  }

  const Features& f_;
  const FaceLinks& links_;
  const Patches& patches_;
  const Partition& groups_;
  std::vector<Cover> covers_;
  std::vector<Index> inside_;  ///< the last group that took the face, as its own or for its halo
  std::vector<Index> ring_, next_;
};

}  // namespace

std::vector<Cover> grow_halos(const Features& features, const FaceLinks& links,
                              const Patches& patches, const Partition& groups) {
  return HaloGrowth(features, links, patches, groups).run();
}

}  // namespace toccata
