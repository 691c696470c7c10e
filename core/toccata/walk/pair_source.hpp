// What an earliest-first walk asks of where its pairs of bodies come from.
#pragma once

#include <concepts>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// Pairs of bodies, and where they are.
template <class P>
concept PairSource = requires(P& pairs, Index i, Span window, double time, bool a_fills_lanes,
                              const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                              float separation) {
  /// A candidate comes up: from now on it is pair `open(candidate)`, every time that it comes up.
  { pairs.open(i) } -> std::same_as<Index>;
  { pairs.pair(i) } -> std::same_as<const MovingPair&>;
  /// The two do not move relative to each other.
  { pairs.is_at_rest(i) } -> std::same_as<bool>;
  /// How long bounds of a state at `time` shall hold.
  { pairs.window(time) } -> std::same_as<Span>;
  /// When all of a pair that comes up at `time` comes up again; infinite unless it turns a lot.
  { pairs.reopens_at(i, time) } -> std::same_as<double>;
  { pairs.at(i, window) } -> std::same_as<const PairState&>;
  { pairs.relative(i, window, a_fills_lanes) } -> std::same_as<const RelativeState&>;
  /// Times up to `time` from which on to look at volumes, at volumes again, and at triangles:
  /// earlier ones may cost less.
  { pairs.volume_time(i, time) } -> std::same_as<double>;
  { pairs.again_time(i, time) } -> std::same_as<double>;
  { pairs.leaf_time(i, time) } -> std::same_as<double>;
  /// Children that are worth another step, rather than to be split.
  { P::promising(bounds, expansion, separation) } -> std::same_as<unsigned>;
  /// Triangles are bounded eight at a time before any of them is looked at in double precision.
  { P::packs_triangles } -> std::convertible_to<bool>;
};

}  // namespace toccata
