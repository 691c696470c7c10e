// Which proofs cover a face, or all faces below a node.
#pragma once

#include <cstring>

#include "toccata/base/index.hpp"

namespace toccata {

/// The intermediate cluster of a face, and the bridges that it is on. Neither a cluster nor a
/// bridge touches itself.
struct Cover {
  static constexpr Index none = -1;
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

/// The places of bridges of the one that the other is on too.
inline Cover::Four shared_bridges(const Cover& a, const Cover& b) {
  using Four = Cover::Four;
  const Four x = a.bridges(), y = b.bridges();
  const Four same = (x == y) | (x == __builtin_shufflevector(y, y, 1, 2, 3, 0)) |
                    (x == __builtin_shufflevector(y, y, 2, 3, 0, 1)) |
                    (x == __builtin_shufflevector(y, y, 3, 0, 1, 2));
  return same & (x != Cover::none);
}

inline bool on_some_bridge(const Cover& c) { return any(c.bridges() != Cover::none); }

/// Whether one bridge has all faces of both, so that they do not touch.
inline bool bridged(const Cover& a, const Cover& b) { return any(shared_bridges(a, b)); }

/// What is true of both.
inline Cover common(const Cover& a, const Cover& b) {
  Cover c = Cover::in(a.cluster == b.cluster ? a.cluster : Cover::none);
  const Cover::Four bridges = shared_bridges(a, b) ? a.bridges() : Cover::none + Cover::Four{};
  std::memcpy(c.places, &bridges, sizeof bridges);
  return c;
}

}  // namespace toccata
