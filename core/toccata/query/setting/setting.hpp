// Settings: the bodies of a query, the pairs that count, and the poses over time.
//
// Queries are written once, as templates over this concept. Its models are two bodies
// (`TwoBodies`), the bodies of a scene (`ManyBodies`), and a robot on one motion in a world
// (`RobotInWorld`). A new kind of setting models the concept and gets all queries.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "toccata/broad/candidate.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {

/// A candidate pair over time.
template <class B>
concept BodiesOverTime = requires(B& bodies, Span window) {
  { bodies.pair() } -> std::same_as<const MovingPair&>;
  { bodies.is_at_rest() } -> std::same_as<bool>;
  /// Poses and velocities at the start of `window`, with bounds that hold until its end.
  { bodies.at(window) } -> std::same_as<const PairState&>;
};

/// A setting: pairs of bodies over time, with their options and names.
template <class S>
concept Setting =
    BodiesOverTime<typename S::Bodies> &&
    std::constructible_from<typename S::Bodies, S&, const Candidate&> &&
    requires(S& setting, const Candidate& candidate, typename S::Found& found, double time) {
      /// Pairs that may come within their separation during the motion.
      { setting.find_candidates() } -> std::convertible_to<std::span<const Candidate>>;
      /// Pairs that may come within separation + tolerance during the motion, in the order of their
      /// bodies.
      { setting.reachable_pairs() } -> std::same_as<std::vector<Candidate>>;
      /// Reachable pairs that may be within separation + tolerance at one time.
      { setting.candidates_at(time) } -> std::same_as<std::vector<Candidate>>;
      /// Options of the query with the separation of the pair.
      { setting.options_of(candidate) } -> std::same_as<Options>;
      /// Records in an answer which bodies its contact belongs to.
      setting.name(candidate, found);
      /// Pose of the frame in which the points of a pair are given; none for the world's frame.
      { setting.frame_of(candidate, time) } -> std::same_as<std::optional<Pose>>;
      /// Index of the second body of a pair. In a robot's setting the bodies of the world follow
      /// the links.
      { setting.second_of(candidate) } -> std::same_as<Index>;
      { setting.mesh_a(candidate) } -> std::same_as<const Mesh&>;
      { setting.mesh_b(candidate) } -> std::same_as<const Mesh&>;
    };

}  // namespace toccata
