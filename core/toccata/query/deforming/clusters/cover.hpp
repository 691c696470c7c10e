// Which proofs cover a face, or all faces below a node.
#pragma once

#include <cstring>

#include "toccata/base/index.hpp"

namespace toccata {

/// A patch that things are in, and whether they are among its inner faces: those keep the
/// separation from the whole patch. Without a separation all of its faces do.
struct Membership {
  static constexpr Index none = -1;
  static Index of(Index patch, bool inner) { return 2 * patch + inner; }
  static Index patch(Index membership) { return membership >> 1; }
};

/// The intermediate cluster of a face, and the bridges that it is on, as memberships.
struct Cover {
  static constexpr Index none = Membership::none;
  static constexpr int most = 4;  ///< bridges beyond that are forgotten
  using Four = Index __attribute__((vector_size(most * sizeof(Index))));

  Index cluster;
  Index places[most];  ///< the bridges, in any places

  /// In one cluster, or in none, and on no bridge. Covers are not initialised: there are many
  /// places for them that are never used.
  static Cover in(Index cluster) { return {cluster, {none, none, none, none}}; }

  /// To a cover to which all bridges have been added.
  void add(Index bridge) {
    int used = 0;
    for (const Index place : places) used += place != none;
    if (used < most) places[used] = bridge;
  }
  Four bridges() const {
    Four b;
    std::memcpy(&b, places, sizeof b);
    return b;
  }
};

inline bool any(Cover::Four mask) {
  using Two = long long __attribute__((vector_size(sizeof mask)));
  const Two halves = (Two)mask;
  return (halves[0] | halves[1]) != 0;
}

/// Calls visit(x, y) for the bridges of both in all four ways to hold them against each other.
template <class Visit>
inline void for_each_rotation(const Cover& a, const Cover& b, const Visit& visit) {
  const Cover::Four x = a.bridges(), y = b.bridges();
  visit(x, y);
  visit(x, __builtin_shufflevector(y, y, 1, 2, 3, 0));
  visit(x, __builtin_shufflevector(y, y, 2, 3, 0, 1));
  visit(x, __builtin_shufflevector(y, y, 3, 0, 1, 2));
}

inline bool on_some_bridge(const Cover& c) { return any(c.bridges() != Cover::none); }

/// Whether one bridge has all faces of both, and those of one are inner, so that they keep the
/// separation.
inline bool bridged(const Cover& a, const Cover& b) {
  Cover::Four found{};
  for_each_rotation(a, b, [&](Cover::Four x, Cover::Four y) {
    found |= (((x ^ y) | 1) == 1) & (((x | y) & 1) == 1) & (x != Cover::none);
  });
  return any(found);
}

/// The same of their cluster.
inline bool clustered(const Cover& a, const Cover& b) {
  return (a.cluster | b.cluster) >= 0 && ((a.cluster ^ b.cluster) | 1) == 1 &&
         ((a.cluster | b.cluster) & 1) == 1;
}

/// What is true of both.
inline Cover common(const Cover& a, const Cover& b) {
  // Memberships of one patch differ in the last bit alone, which tells whether they are inner.
  Cover c = Cover::in(((a.cluster ^ b.cluster) | 1) == 1 ? a.cluster & b.cluster : Cover::none);
  Cover::Four bridges = Cover::none + Cover::Four{};
  for_each_rotation(a, b, [&](Cover::Four x, Cover::Four y) {
    bridges = (((x ^ y) | 1) == 1) & (x != Cover::none) ? x & y : bridges;
  });
  std::memcpy(c.places, &bridges, sizeof bridges);
  return c;
}

}  // namespace toccata
