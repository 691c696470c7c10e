// The interface between the best-first traversal (earliest_first.hpp) and its pairs of bodies.
#pragma once

#include <concepts>

#include "toccata/walk/expand.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// A pair of bodies over time, with the times at which a traversal evaluates their poses.
template <class B>
concept TraversedPair =
    requires(B& bodies, Span window, double time, bool a_fills_lanes, const Approach& bounds,
             const Expansion<VolumeKind::box>& expansion, float separation) {
      { bodies.pair() } -> std::same_as<const MovingPair&>;
      /// Tells that neither body moves relative to the other.
      { bodies.is_at_rest() } -> std::same_as<bool>;
      /// Window in which the bounds of a state at `time` hold.
      { bodies.window(time) } -> std::same_as<Span>;
      /// Time at which the whole pair is queued again; infinite unless the bodies turn a lot.
      { bodies.reopens_at(time) } -> std::same_as<double>;
      { bodies.at(window) } -> std::same_as<const PairState&>;
      { bodies.relative(window, a_fills_lanes) } -> std::same_as<const RelativeState&>;
      /// Times, at or before `time`, at which to bound new volumes, volumes that were bounded
      /// before, and triangles. An earlier time may be cheaper, because its state is known.
      { bodies.volume_time(time) } -> std::same_as<double>;
      { bodies.again_time(time) } -> std::same_as<double>;
      { bodies.leaf_time(time) } -> std::same_as<double>;
      /// Lanes that are worth another advance before they are split.
      { B::promising(bounds, expansion, separation) } -> std::same_as<unsigned>;
      /// Tells to bound eight triangles in single precision before one in double precision.
      { B::packs_triangles } -> std::convertible_to<bool>;
    };

/// Pairs of bodies by index. A candidate pair gets its index when it is opened.
template <class P>
concept PairSource = TraversedPair<typename P::Bodies> && requires(P& pairs, Index i) {
  /// Returns the index of a candidate pair, the same one every time.
  { pairs.open(i) } -> std::same_as<Index>;
  { pairs[i] } -> std::same_as<typename P::Bodies&>;
};

}  // namespace toccata
