// Proofs that a pair of features stays apart for a while: the steps of `advance`.
#pragma once

#include "toccata/narrow/linear/pair.hpp"

namespace toccata {

/// The time from `time` until which the projections of the features on a fixed `direction` are
/// proved to be farther apart than `separation`; `time` itself if they are not. Infinite: for good.
template <PairKind kind>
double separated_until(const Differences<kind>& pair, const Vec3d& direction, double separation,
                       double time);

/// The same from the start on, for features that have a point in common there: a difference that is
/// zero at the start only has to be positive along `direction` afterwards.
template <PairKind kind>
double separated_from_start(const Differences<kind>& pair, const Vec3d& direction);

/// A part of the step, from `start` to `end`.
struct TimeWindow {
  double start, end;
};

/// The same as `separated_until`, from the start of a window to its end at most, along the normal
/// of the face, or the common normal of the edges, which turns with them. Infinite: until the end
/// of the step.
template <PairKind kind>
double separated_rotating_until(const Differences<kind>& pair, double separation,
                                TimeWindow window);

/// The same along directions that turn with an edge, across it: each in the plane of that edge, as
/// it is at the start of the window, and of `direction`. For features that stay in a plane.
template <PairKind kind>
double separated_in_plane_until(const Differences<kind>& pair, const Vec3d& direction,
                                double separation, TimeWindow window);

}  // namespace toccata
