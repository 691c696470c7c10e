// Memberships: the certified patches, clusters and bridges, that contain a face or all faces below
// a node.
#pragma once

#include <cstring>

#include "toccata/base/index.hpp"

namespace toccata {

/// A patch with one bit, encoded in an index. The bit tells whether the faces are inner faces of
/// the patch, which keep the separation from the whole patch. Without a separation all faces do.
struct PatchCode {
  static constexpr Index none = -1;
  static Index of(Index patch, bool inner) { return 2 * patch + inner; }
  static Index patch(Index code) { return code >> 1; }
};

/// The intermediate cluster of a face, and the bridges that contain it, as codes.
struct Membership {
  static constexpr Index none = PatchCode::none;
  static constexpr int most = 4;  ///< further bridges are ignored
  using Four = Index __attribute__((vector_size(most * sizeof(Index))));

  Index cluster;
  Index codes[most];  ///< the bridges, in any order

  /// Returns a membership in one cluster, or in none, and in no bridge. Not a default
  /// initialization, because many memberships are never used.
  static Membership in(Index cluster) { return {cluster, {none, none, none, none}}; }

  /// Adds a bridge. Not valid after `common`, because the codes in use must be the first ones.
  void add(Index bridge) {
    int used = 0;
    for (const Index code : codes) used += code != none;
    if (used < most) codes[used] = bridge;
  }
  Four bridges() const {
    Four b;
    std::memcpy(&b, codes, sizeof b);
    return b;
  }
};

inline bool any(Membership::Four mask) {
  using Two = long long __attribute__((vector_size(sizeof mask)));
  const Two halves = (Two)mask;
  return (halves[0] | halves[1]) != 0;
}

/// Calls visit(x, y) with the bridges of both, for all four rotations of y.
template <class Visit>
inline void for_each_rotation(const Membership& a, const Membership& b, const Visit& visit) {
  const Membership::Four x = a.bridges(), y = b.bridges();
  visit(x, y);
  visit(x, __builtin_shufflevector(y, y, 1, 2, 3, 0));
  visit(x, __builtin_shufflevector(y, y, 2, 3, 0, 1));
  visit(x, __builtin_shufflevector(y, y, 3, 0, 1, 2));
}

inline bool on_some_bridge(const Membership& c) { return any(c.bridges() != Membership::none); }

/// Returns whether one bridge contains the faces of both and one of them is inner, so that they
/// keep the separation.
inline bool bridged(const Membership& a, const Membership& b) {
  Membership::Four found{};
  for_each_rotation(a, b, [&](Membership::Four x, Membership::Four y) {
    found |= (((x ^ y) | 1) == 1) & (((x | y) & 1) == 1) & (x != Membership::none);
  });
  return any(found);
}

/// Returns the same for their cluster.
inline bool clustered(const Membership& a, const Membership& b) {
  return (a.cluster | b.cluster) >= 0 && ((a.cluster ^ b.cluster) | 1) == 1 &&
         ((a.cluster | b.cluster) & 1) == 1;
}

/// Returns the membership that both have in common.
inline Membership common(const Membership& a, const Membership& b) {
  // Codes of one patch differ only in the last bit, which tells whether they are inner.
  Membership c =
      Membership::in(((a.cluster ^ b.cluster) | 1) == 1 ? a.cluster & b.cluster : Membership::none);
  Membership::Four bridges = Membership::none + Membership::Four{};
  for_each_rotation(a, b, [&](Membership::Four x, Membership::Four y) {
    bridges = (((x ^ y) | 1) == 1) & (x != Membership::none) ? x & y : bridges;
  });
  std::memcpy(c.codes, &bridges, sizeof bridges);
  return c;
}

}  // namespace toccata
