// How far beyond its cluster a view shows that nothing touches.
#pragma once

#include <algorithm>

#include "toccata/base/unfilled_vector.hpp"
#include "toccata/query/deforming/patches.hpp"

namespace toccata {

/// Where a face, or all faces below a node, are: in one intermediate cluster, and in the halos of
/// some others. A cluster and its halo together do not touch themselves.
struct Cover {
  static constexpr Index none = -1;
  static constexpr std::size_t most = 4;  ///< halos beyond that are forgotten
  Index group;
  std::array<Index, most> halos;  ///< those that there are come first

  /// In one cluster, or in none, and in no halo. Covers are not initialised: there are many places
  /// for them that are never used.
  static Cover in(Index group) { return {group, {none, none, none, none}}; }

  void add(Index halo) {
    const auto place = std::find(halos.begin(), halos.end(), none);
    if (place != halos.end()) *place = halo;
  }
  bool in_some_halo() const { return halos[0] != none; }
  bool in_halo(Index g) const {
    return g != none && (halos[0] == g || halos[1] == g || halos[2] == g || halos[3] == g);
  }
};

/// What is true of both.
inline Cover common(const Cover& a, const Cover& b) {
  Cover c = Cover::in(a.group == b.group ? a.group : Cover::none);
  for (const Index h : a.halos)
    if (b.in_halo(h)) c.add(h);
  return c;
}

/// Whether a proof covers all pairs of faces of the one and of the other.
inline bool covered(const Cover& a, const Cover& b) {
  if (a.in_halo(b.group) || b.in_halo(a.group)) return true;
  return a.in_halo(b.halos[0]) || a.in_halo(b.halos[1]) || a.in_halo(b.halos[2]) ||
         a.in_halo(b.halos[3]);
}

/// Makes the cover of each face: each group of patches goes on growing for some rings over the
/// faces of its neighbours, with the same conditions.
void grow_halos(const Features& features, const Patches& patches, const Partition& groups,
                unsigned threads, UnfilledVector<Cover>& covers);

}  // namespace toccata
